/** A third-party article with every element that sanitizing preserves. `${word}` is text of any length. */
export function foreignHtml(word: string): string {
  return `
<h2 id="start">Abdichtung ${word} <small>Stand ${word}</small></h2>
<hgroup><h3>Untergrund ${word}</h3><p>Vorbereitung</p></hgroup>
<nav aria-label="Inhalt"><ol><li><a href="#start">Abdichtung ${word}</a></li><li><a href="#n1">Fußnote</a></li></ol></nav>
<p>Früher <del>12,50 €</del> <ins>11,90 €</ins>, <s>2023</s> <u>2024</u>, <mark>wichtig ${word}</mark>, <b>fett</b> und
<strong>stark ${word}</strong>, <i>kursiv</i>, <em>betont</em>, <small>klein</small>, m<sup>2</sup>, s<sub>d</sub>,
<abbr title="Bauprodukteverordnung">BauPVO</abbr>, <dfn>Dampfbremse</dfn>, <cite>Merkblatt</cite>, <q>so ${word}</q>,
<time datetime="2024-05-01">1. Mai</time>, <data value="7">sieben</data>, <span lang="en">vapour</span>,
<bdi>אב</bdi>, <bdo dir="rtl">abc</bdo>, <ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>, lang<wbr>wort.<br>
Neue Zeile: <kbd>Strg</kbd>+<kbd>${word}</kbd>, <samp>${word}</samp>, <var>${word}</var>, <code>${word}</code>.
Fußnote<sup id="r1"><a href="#n1">1</a></sup> und <a href="https://elsewhere.example/">${word}</a></p>
<p dir="rtl" lang="de">Von rechts nach links</p>
<blockquote cite="https://elsewhere.example/"><p>Zitat ${word}</p><p>Zweiter Absatz</p></blockquote>
<ul><li>Eins ${word}<ul><li>Eins eins ${word}</li></ul></li><li><p>Zwei</p><p>Absatz</p></li></ul>
<ol type="i" start="7"><li>Sieben ${word}</li><li value="88">Achtundachtzig</li></ol>
<ol reversed type="A" start="30"><li>Rückwärts</li><li>Weiter</li></ol>
<ol start="1998"><li>Jahr</li></ol>
<dl><dt>Dicke ${word}</dt><dd>0,5 mm ${word}</dd><dt>Norm</dt><dd><p>EN 1928</p><p>${word}</p></dd></dl>
<details open><summary>Mehr ${word}</summary><p>Aufgeklappt ${word}</p><p>Und weiter</p></details>
<details><summary>Geschlossen</summary><p>Innen</p></details>
<section aria-label="Verarbeitung"><h4>Verarbeitung ${word}</h4><p>Eins</p><p>Zwei</p>
<section aria-label="Tiefer"><h5>Tiefer ${word}</h5><p>Drei</p><h6>Noch tiefer ${word}</h6><p>Vier</p></section></section>
<article><h3>Eingebetteter Artikel</h3><p>Text ${word}</p></article>
<aside><p>Am Rand ${word}</p></aside>
<div lang="de"><p>Im Kasten</p><p>${word}</p></div>
<address>Musterweg 1<br>${word}</address>
<figure id="f1"><img src="https://media.example/a.png" alt="Bild" width="1600" height="900">
<figcaption>Bildunterschrift ${word}</figcaption></figure>
<figure><figure><img src="https://media.example/a.png" alt="" width="400" height="400"><figcaption>${word}</figcaption></figure>
<figure><img src="https://media.example/a.png" alt="" width="400" height="400"></figure><figcaption>Reihe</figcaption></figure>
<figure><audio src="https://media.example/a.mp3" aria-label="Ton"></audio><figcaption>Ton</figcaption></figure>
<video width="1920" height="1080" aria-label="Film"><source src="https://media.example/a.mp4" type="video/mp4">
<track src="https://media.example/a.vtt" kind="captions" srclang="de" label="Deutsch" default></video>
<figure><iframe src="https://vimeo.com/1" title="Film ${word}"></iframe></figure>
<table id="t"><caption>Werte ${word}</caption><colgroup><col span="1"><col></colgroup>
<thead><tr><th id="c" scope="col">Name ${word}</th><th scope="col" abbr="W">Wert</th></tr></thead>
<tbody><tr><th scope="row">Dicke</th><td headers="c">${word}</td></tr><tr><td colspan="2">Beide</td></tr></tbody>
<tfoot><tr><td>Summe</td><td>${word}</td></tr></tfoot></table>
<pre><code>let a = 1;</code>
  ${word}</pre>
<p>Formel <math><mi>U</mi><mo>=</mo><mfrac><mn>1</mn><mrow><msub><mi>R</mi><mi>si</mi></msub><mo>+</mo><mi>R</mi></mrow></mfrac></math></p>
<math display="block"><mstyle><msqrt><mn>2</mn></msqrt><mroot><mn>8</mn><mn>3</mn></mroot><msup><mi>a</mi><mn>2</mn></msup>
<msubsup><mi>b</mi><mn>1</mn><mn>2</mn></msubsup><munder><mi>c</mi><mo>_</mo></munder><mover><mi>d</mi><mo>^</mo></mover>
<munderover><mo>∑</mo><mn>0</mn><mi>n</mi></munderover><mpadded><mtext>${word}</mtext></mpadded><ms>s</ms><mspace></mspace>
<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable></mstyle></math>
<hr>
<ol><li id="n1">Die Fußnote ${word} <a href="#r1">↩</a></li></ol>
<p hidden>Verborgen</p>`;
}
