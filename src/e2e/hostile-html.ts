import type { Page } from 'playwright-core';

/** Typical attacks on fields that accept HTML. */
export const HOSTILE_HTML = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src="x" onerror="alert(1)" onload=alert(2)>',
  '<img/src=`x`onerror=alert(1)>',
  '<img src="javascript:alert(1)">',
  '<img src="data:image/svg+xml;base64,PHN2Zz4=">',
  '<img src="data:text/html,<script>alert(1)</script>">',
  '<img srcset="javascript:alert(1) 1x" src="https://a.example/b.png">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A&#x61&#x6C&#x65&#x72&#x74(1)">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href="javascript&colon;alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>',
  '<a href="file:///etc/passwd">x</a>',
  '<a href="blob:https://a.example/1">x</a>',
  '<a href="//evil.example/">x</a>',
  '<a href="\\\\evil.example/">x</a>',
  '<a href="https://ok.example" target=_blank onclick=alert(1) style="position:fixed">x</a>',
  '<a href="https://ok.example" id=x class=y name=z>x</a>',
  '<a xlink:href="javascript:alert(1)">x</a>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><foreignObject><iframe src="javascript:alert(1)"></iframe></foreignObject></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<math href="javascript:alert(1)">x</math>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<applet code=x></applet>',
  '<form action="javascript:alert(1)"><input type=submit></form>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<input autofocus onfocus=alert(1)>',
  '<select onchange=alert(1)><option>x</option></select>',
  '<textarea autofocus onfocus=alert(1)>x</textarea>',
  '<video src=x onerror=alert(1)></video>',
  '<video><source onerror="alert(1)"></video>',
  '<audio src=x onerror=alert(1)></audio>',
  '<body onload=alert(1)>',
  '<base href="https://evil.example/">',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<style>@import "https://evil.example/x.css";</style>',
  '<style>*{background:url(javascript:alert(1))}</style>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<div style="width: expression(alert(1))">x</div>',
  '<table background="javascript:alert(1)"><tr><td background="javascript:alert(1)">x</td></tr></table>',
  '<td colspan="1" onmouseover=alert(1)>x</td>',
  '<details open ontoggle=alert(1)>x</details>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<noscript><noscript><img title="</noscript><img src=x onerror=alert(1)>"></noscript></noscript>',
  '<picture><noscript><style></picture></noscript><img src=x onerror=alert(1)></style>',
  '<math><noscript><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=alert(1)&gt;"></noscript></math>',
  '<img data-src="javascript:alert(1)" data-lazy-src="data:text/html,<script>alert(1)</script>">',
  '<img data-srcset="javascript:alert(1) 2x" src="data:,">',
  '<iframe src="about:blank" data-src="javascript:alert(1)"></iframe>',
  '<iframe data-lazy-src="data:text/html,<script>alert(1)</script>"></iframe>',
  '<video data-src="javascript:alert(1)" data-poster="javascript:alert(1)"></video>',
  '<div role="img" style="background-image:url(javascript:alert(1))" aria-label="x">x</div>',
  '<div role="img" data-bg="https://a.example/x.png?&quot;onerror=alert(1)" aria-label="&quot;onerror=alert(1) x=&quot;">x</div>',
  '<div data-background-image="javascript:alert(1)" alt="x" onload=alert(1)>x</div>',
  '<img class="emoji" alt="<img src=x onerror=alert(1)>" src="https://a.example/x.svg">',
  '<template><script>alert(1)</script></template>',
  '<xmp><script>alert(1)</script></xmp>',
  '<plaintext><script>alert(1)</script>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!--[if IE]><script>alert(1)</script><![endif]-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?php echo 1 ?><script>alert(1)</script>',
  '<<script>alert(1);//<</script>',
  '<p title="--><img src=x onerror=alert(1)>">x</p>',
  '<b <script>alert(1)</script>>x</b>',
  '<a href="https://ok.example/" href="javascript:alert(1)">x</a>',
  '<h1 onclick=alert(1)>x</h1>',
  '<isindex action=javascript:alert(1) type=image>',
  '<frameset onload=alert(1)></frameset>',
  '<custom-element onclick=alert(1)>x</custom-element>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<img src="https://a.example/x.png" width="1;x" height="expression(1)" alt=\'"><script>alert(1)</script>\'>',
];

export interface RenderedElement {
  name: string;
  attributes: Record<string, string>;
}

/** Renders HTML in a real browser. Returns the resulting elements, and whether a script ran. */
export function renderInBrowser(page: Page, html: string): Promise<{ elements: RenderedElement[]; ran: boolean }> {
  return page.evaluate(async (text) => {
    let ran = false;
    window.alert = () => {
      ran = true;
    };
    document.body.innerHTML = text;
    await new Promise((resolve) => setTimeout(resolve, 5));
    const elements = [...document.body.querySelectorAll('*')].map((element) => ({
      name: element.localName,
      attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
    }));
    return { elements, ran };
  }, html);
}
