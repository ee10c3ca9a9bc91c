/// How a report looks: in the light, in the dark, on a phone, on paper.
enum ReportStyle {
  static let page = """
    :root{\(ChartStyle.colours(isDark: false))}
    @media screen and (prefers-color-scheme:dark){:root{\(ChartStyle.colours(isDark: true))}}
    \(ChartStyle.drawing)\
    *{box-sizing:border-box}
    html{color-scheme:light dark;-webkit-text-size-adjust:100%}
    body{margin:0 auto;max-width:56rem;padding:2rem 1.25rem 3rem;background:var(--ground);
      color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;
      overflow-wrap:break-word}
    h1{font-size:1.9rem;line-height:1.2;margin:0 0 .5rem}
    h2{font-size:1.25rem;line-height:1.3;margin:2.75rem 0 .75rem}
    .lead{font-size:1.1rem;color:var(--quiet);margin:0 0 1.25rem}
    .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:.75rem;
      list-style:none;margin:0;padding:0}
    .tiles li{background:var(--card);border-radius:.6rem;padding:.8rem 1rem}
    .tiles strong{display:block;font-size:1.7rem;line-height:1.2;font-variant-numeric:tabular-nums}
    .tiles span{color:var(--quiet);font-size:.9rem}
    dl{margin:0 0 1rem}
    dl div{display:grid;grid-template-columns:10rem 1fr;gap:.15rem 1rem;padding:.2rem 0}
    dt{font-weight:600}
    dd{margin:0}
    .strategies{border-top:1px solid var(--rule);padding-top:.6rem;font-size:.95rem}
    figure{margin:0}
    figure svg{display:block;max-width:100%;height:auto}
    figcaption{color:var(--quiet);font-size:.9rem;margin:.6rem 0}
    .narrow{display:none}
    summary{cursor:pointer;font-size:.9rem;padding:.4rem 0}
    summary:focus-visible{outline:2px solid var(--c0);outline-offset:2px}
    table{border-collapse:collapse;width:100%;font-size:.85rem;font-variant-numeric:tabular-nums;
      margin:.4rem 0}
    caption{text-align:left;color:var(--quiet);padding:.2rem 0}
    th,td{padding:.35rem .4rem;text-align:right;border-bottom:1px solid var(--rule);vertical-align:bottom}
    th:first-child{text-align:left;padding-left:0}
    tbody th{font-weight:600;white-space:nowrap}
    ul{padding-left:1.2rem;margin:0}
    li{margin:.35rem 0}
    footer{margin-top:3rem;border-top:1px solid var(--rule);color:var(--quiet);font-size:.85rem}
    code{font-family:ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",monospace;font-size:.95em}
    @media screen and (max-width:48rem){
      body{padding:1.25rem 1rem 2rem}
      h1{font-size:1.5rem}
      .wide{display:none}
      .narrow{display:block}
      dl div{grid-template-columns:1fr;padding:.35rem 0}
      thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
      table,caption,tbody,tr,td,tbody th{display:block}
      tbody tr{background:var(--card);border-radius:.6rem;padding:.5rem .75rem;margin:.5rem 0}
      tbody th{padding:.1rem 0;border:0;font-size:.95rem}
      td{display:flex;justify-content:space-between;gap:1rem;padding:.1rem 0;border:0}
      td::before{content:attr(data-label);color:var(--quiet);text-align:left}
    }
    @media print{
      body{max-width:none;padding:0;font-size:10.5pt}
      figure,table,li,.tiles{break-inside:avoid}
      h2{break-after:avoid}
      svg rect,.tiles li{print-color-adjust:exact;-webkit-print-color-adjust:exact}
      details::details-content{content-visibility:visible;block-size:auto}
      summary{list-style:none}
      table{font-size:8pt}
    }

    """
}
