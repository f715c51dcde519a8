/** The only style sheet of the report's page; its digest is in the page's policy. */
export const REPORT_STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fff, #121417);
  --plate: light-dark(#f2f4f4, #1b1f23);
  --ink: light-dark(#14171a, #eceae6);
  --rule: light-dark(#d5d9db, #343a40);
  --good: light-dark(#1d7a44, #5fc98a);
  --fair: light-dark(#8f5b00, #e5b04c);
  --bad: light-dark(#b3261e, #ff8f85);
  --calm: light-dark(#2f5f8a, #7fb2dd);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin-inline: auto; padding: 1.5rem; }
h1 { font-size: 1.625rem; line-height: 1.2; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 2rem 0 0.5rem; }
p { margin: 0.5rem 0; overflow-wrap: anywhere; }
header { border-inline-start: 0.375rem solid var(--calm); padding-inline-start: 1rem; }
header.changed { border-color: var(--good); }
header.failed { border-color: var(--bad); }
section.alarm { margin-top: 1.5rem; padding: 0.25rem 1rem 0.75rem; border: 0.1875rem solid var(--bad); }
section.alarm h2 { margin-top: 0.5rem; color: var(--bad); }
.table { width: fit-content; max-width: 100%; overflow: auto; max-height: 32rem; border: 1px solid var(--rule); }
.table:focus-visible { outline: 0.1875rem solid var(--calm); outline-offset: 0.125rem; }
table { border-collapse: collapse; font-size: 0.875rem; }
th, td { padding: 0.375rem 0.625rem; border-bottom: 1px solid var(--rule); text-align: start; vertical-align: top; }
th { background: var(--plate); position: sticky; top: 0; white-space: nowrap; }
td { max-width: 28rem; overflow-wrap: anywhere; min-width: 4rem; }
.number { text-align: end; font-variant-numeric: tabular-nums; }
svg { display: block; width: 100%; height: auto; margin-block: 1rem; font: 12px system-ui, sans-serif; }
svg text { fill: var(--ink); }
.axis { stroke: var(--rule); }
rect.added { fill: var(--good); }
rect.changed { fill: var(--calm); }
rect.removed { fill: var(--fair); }
rect.duration { fill: var(--ink); }
rect.failed { fill: var(--bad); opacity: 0.15; }
.cross { stroke: var(--bad); stroke-width: 2; fill: none; }
@media print { .table { max-height: none; } }
`;
