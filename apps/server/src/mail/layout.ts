/**
 * The layout of mails: one column of text, as plain text and as HTML. The HTML is readable without images, our fonts
 * and styles. With styles it has the look of the pages, in light and dark.
 */

/** The content of a mail. Paragraphs are plain text; this file escapes everything. */
export interface MailContent {
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** The text of another person, with its line breaks. */
  readonly quote?: string;
  /** A short text to type or copy, in large type. */
  readonly code?: string;
  /** Pairs of name and value. */
  readonly facts?: readonly (readonly [name: string, value: string])[];
  readonly button?: { readonly label: string; readonly url: string };
  /** Paragraphs after the button. */
  readonly closing?: readonly string[];
  /** The reason why the reader gets this mail. */
  readonly why: string;
}

/** Renders a mail as plain text and as HTML. */
export function renderMail(words: MailContent): { text: string; html: string } {
  return { text: writeText(words), html: writeHtml(words) };
}

function writeText({ heading, paragraphs, code, facts = [], quote, button, closing = [], why }: MailContent): string {
  const widest = Math.max(...facts.map(([name]) => name.length), 0);
  return [
    heading,
    ...paragraphs,
    quote?.replace(/^/gm, '> '),
    code && `    ${code}`,
    facts.map(([name, value]) => `${`${name}:`.padEnd(widest + 2)}${value}`).join('\n'),
    button && `${button.label}:\n${button.url}`,
    ...closing,
    `--\nMarkwright\n${why}`,
  ]
    .filter((part) => part)
    .join('\n\n')
    .concat('\n');
}

const light = {
  bone: '#F6F3EC',
  paper: '#FFFFFF',
  ink: '#1A1815',
  graphite: '#5E574D',
  line: '#E3DDD1',
  ember: '#C2410C',
};
const dark = {
  bone: '#141311',
  paper: '#1D1B18',
  ink: '#F3EFE7',
  graphite: '#A9A196',
  line: '#322E29',
  ember: '#FB8A4A',
};

const sans = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";
const mono = "ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace";

/** Mail programs with a dark mode apply these styles over the inline ones. */
const darkStyles = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.bone{background:${dark.bone}!important}
.paper{background:${dark.paper}!important}
.ink{color:${dark.ink}!important}
.graphite{color:${dark.graphite}!important}
.line{border-color:${dark.line}!important}
.mark{border-color:${dark.ember}!important}
.button{background:${dark.ember}!important;color:${dark.bone}!important}
}
@media (max-width:480px){.paper{padding:24px 20px 8px!important}}`;

function writeHtml({ heading, paragraphs, code, facts = [], quote, button, closing = [], why }: MailContent): string {
  const paragraph = (text: string): string =>
    `<p class="ink" style="margin:0 0 16px;color:${light.ink}">${escapeHtml(text)}</p>`;
  const parts = [
    `<h1 class="ink" style="margin:0 0 16px;font-size:24px;line-height:30px;font-weight:600;letter-spacing:-.01em;color:${light.ink}">${escapeHtml(heading)}</h1>`,
    ...paragraphs.map(paragraph),
    quote && writeQuote(quote),
    code && writeCode(code),
    facts.length > 0 && writeFacts(facts),
    button && writeButton(button),
    ...closing.map(paragraph),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(heading)}</title>
<style>${darkStyles}
</style>
</head>
<body class="bone" style="margin:0;padding:0;background:${light.bone}">
<div class="bone" style="padding:32px 16px;background:${light.bone};font:400 16px/24px ${sans};-webkit-text-size-adjust:100%">
<div style="max-width:520px;margin:0 auto">
<p class="ink" style="margin:0 5px 12px;font-size:16px;line-height:24px;font-weight:600;letter-spacing:-.01em;color:${light.ink}">Markwright</p>
${cropMarks('top')}
<div class="paper line" style="margin:-4px 5px;padding:32px 32px 16px;background:${light.paper};border:1px solid ${light.line};border-radius:12px">
${parts.filter((part) => part).join('\n')}
</div>
${cropMarks('bottom')}
<p class="graphite" style="margin:16px 5px 0;font-size:13px;line-height:20px;color:${light.graphite}">${escapeHtml(why)}</p>
</div>
</div>
</body>
</html>
`;
}

/** Draws crop marks, the corners of a sheet in print production, around the paper without an image. */
function cropMarks(edge: 'top' | 'bottom'): string {
  const corner = (side: 'left' | 'right'): string =>
    `<span class="mark" style="float:${side};width:8px;height:8px;border:0 solid ${light.ember};border-${side}-width:1px;border-${edge}-width:1px"></span>`;
  return `<div style="height:9px">${corner('left')}${corner('right')}</div>`;
}

function writeButton({ label, url }: { label: string; url: string }): string {
  const href = escapeHtml(url);
  return `<p style="margin:24px 0 12px"><a class="button" href="${href}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:${light.ember};color:#FFFFFF;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
<p class="graphite" style="margin:0 0 20px;font-size:13px;line-height:20px;color:${light.graphite};word-break:break-all">Or open <a class="graphite" href="${href}" style="color:${light.graphite}">${href}</a></p>`;
}

function writeCode(code: string): string {
  return `<p class="ink line" style="margin:0 0 16px;padding:16px;border:1px dashed ${light.line};border-radius:6px;font:500 22px/28px ${mono};letter-spacing:.04em;text-align:center;color:${light.ink}">${escapeHtml(code)}</p>`;
}

function writeFacts(facts: readonly (readonly [string, string])[]): string {
  const rows = facts.map(
    ([name, value]) =>
      `<div class="line" style="padding:8px 0;border-top:1px solid ${light.line}"><span class="graphite" style="float:left;width:112px;color:${light.graphite}">${escapeHtml(name)}</span> <span class="ink" style="display:block;margin-left:120px;color:${light.ink};overflow-wrap:anywhere">${escapeHtml(value)}</span></div>`,
  );
  return `<div style="margin:0 0 24px">${rows.join('\n')}</div>`;
}

function writeQuote(quote: string): string {
  const lines = escapeHtml(quote).split(/\r\n|\r|\n/);
  return `<p class="ink line" style="margin:0 0 24px;padding:0 0 0 16px;border-left:2px solid ${light.line};color:${light.ink};overflow-wrap:anywhere">${lines.join('<br>')}</p>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
