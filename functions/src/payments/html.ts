const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it may stand anywhere in HTML, attributes in quotes included. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? '')

/** HTML that is already safe. */
export interface SafeHtml {
  readonly safe: string
}

/** A template whose values are escaped, unless they are such templates themselves. */
export const html = (
  strings: TemplateStringsArray,
  ...values: (string | number | SafeHtml | readonly SafeHtml[])[]
): SafeHtml => ({
  safe: strings.reduce((text, part, index) => {
    const value = values[index - 1]
    const put =
      typeof value === 'object'
        ? ('safe' in value ? [value] : value).map(({ safe }) => safe).join('')
        : escapeHtml(String(value))
    return text + put + part
  }),
})

/** JSON that may stand inside a script element. */
export const inScript = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/\u2028|\u2029/g, ' ')

export const hidden = (fields: readonly (readonly [string, string])[]): SafeHtml[] =>
  fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #f3f1ec; color: #1d2320; }
main { overflow-wrap: anywhere; width: min(26rem, calc(100vw - 2rem)); box-sizing: border-box; margin: 1rem; padding: 1.5rem; background: #fff; border-radius: 1rem; box-shadow: 0 1px 3px #0003; }
h1 { margin: 0 0 .25rem; font-size: 1.25rem; }
p { margin: 0 0 1rem; }
.amount { font-size: 2rem; font-weight: 700; margin: .5rem 0 1rem; overflow-wrap: anywhere; }
.note { background: #fdf0d5; color: #4a3500; border-radius: .5rem; padding: .5rem .75rem; }
.problem { background: #fbe3e0; color: #6d1a10; border-radius: .5rem; padding: .5rem .75rem; }
fieldset { border: 0; margin: 0 0 1rem; padding: 0; display: grid; gap: .5rem; }
legend { padding: 0; font-weight: 600; margin-bottom: .5rem; }
label { display: flex; gap: .6rem; align-items: flex-start; border: 1px solid #8a8f8b; border-radius: .6rem; padding: .6rem .75rem; cursor: pointer; }
label:focus-within { outline: 3px solid #1b6b4a; outline-offset: 1px; }
label small { display: block; opacity: .8; font-variant-numeric: tabular-nums; }
label.text { display: block; border: 0; padding: 0; }
label.text:focus-within { outline: 0; }
input { accent-color: #1b6b4a; }
input[type=text] { display: block; width: 100%; box-sizing: border-box; font: inherit; padding: .6rem .75rem; margin-top: .25rem; border: 1px solid #8a8f8b; border-radius: .6rem; }
.field { height: 2.75rem; border: 1px solid #8a8f8b; border-radius: .6rem; padding: 0 .75rem; }
button { width: 100%; font: inherit; font-weight: 600; min-height: 3rem; border-radius: .75rem; border: 1px solid #1b6b4a; background: #1b6b4a; color: #fff; cursor: pointer; margin-bottom: .5rem; }
button.quiet { background: transparent; color: inherit; border-color: #8a8f8b; }
a { color: inherit; }
@media (prefers-color-scheme: dark) {
  body { background: #141816; color: #eef1ee; } main { background: #1f2522; }
  .note { background: #3d3110; color: #fbe7b8; } .problem { background: #4a1d17; color: #ffd9d3; }
  input { accent-color: #43b585; }
  button { background: #43b585; border-color: #43b585; color: #07130d; }
}`

interface PageOptions {
  title: string
  /** The page's language and its direction. */
  locale: string
  dir: 'ltr' | 'rtl'
  body: string
  /** Makes script and style of this one answer the only ones that count. */
  nonce: string
  script?: string
  load?: readonly string[]
}

/** A whole page of ours: one column, no outside style, light and dark. */
export const pageHtml = (options: PageOptions): string => {
  const { title, locale, dir, body, nonce, script, load = [] } = options
  return `<!doctype html>
<html lang="${locale}" dir="${dir}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="robots" content="noindex" />
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${STYLE}</style>
${load.map((url) => `<script nonce="${nonce}" src="${escapeHtml(url)}"></script>`).join('\n')}
</head>
<body>
<main>
${body}
</main>
${script === undefined ? '' : `<script nonce="${nonce}">${script}</script>`}
</body>
</html>
`
}
