import { getOwn } from '~/domain/data/ownValue'

const HTML_ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for use anywhere in HTML, including quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => getOwn(HTML_ENTITIES, char) ?? '')

/** HTML that is already escaped. */
export interface SafeHtml {
  readonly safe: string
}

/**
 * Builds HTML from a template. Escapes all values except those that are such templates themselves.
 */
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

/** Returns JSON that is safe inside a script element. */
export const toScriptJson = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/\u2028|\u2029/g, ' ')

export const renderHiddenInputs = (fields: readonly (readonly [string, string])[]): SafeHtml[] =>
  fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)

/** Renders the fields by which a form of ours names its order and the step of the payment. */
export const renderOrderInputs = (
  { id, customer }: { id: string; customer: { id: string } },
  paymentStep: string,
  ...more: [name: string, value: string][]
): SafeHtml[] =>
  renderHiddenInputs([['order_id', id], ['cust_id', customer.id], ['step', paymentStep], ...more])

const PAGE_STYLE = `
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
  /** The page's language and text direction. */
  locale: string
  dir: 'ltr' | 'rtl'
  body: string
  /** Allows only this response's own scripts and styles. */
  nonce: string
  scriptCode?: string
  scriptUrls?: readonly string[]
}

/** Renders a complete page: one column, no external styles, light and dark. */
export const renderPageHtml = (options: PageOptions): string => {
  const { title, locale, dir, body, nonce, scriptCode, scriptUrls = [] } = options
  return `<!doctype html>
<html lang="${locale}" dir="${dir}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="robots" content="noindex" />
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${PAGE_STYLE}</style>
${scriptUrls.map((url) => `<script nonce="${nonce}" src="${escapeHtml(url)}"></script>`).join('\n')}
</head>
<body>
<main>
${body}
</main>
${scriptCode === undefined ? '' : `<script nonce="${nonce}">${scriptCode}</script>`}
</body>
</html>
`
}
