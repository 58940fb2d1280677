import { randomBytes } from 'node:crypto'
import { onRequest, type HttpsFunction } from 'firebase-functions/v2/https'
import { DEFAULT_REGION } from '../../deploymentValues'
import { escapeHtml, html, type SafeHtml } from '../../html'
import type { LocalMessage, LocalMessageStore, LocalOutgoing } from '../../ports/localMessages'

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
html { background: light-dark(#fff, #161a18); color: light-dark(#161a18, #fff); }
a { color: light-dark(#0b4aa8, #9ecbff); }
body { margin: 0 auto; max-width: 50rem; padding: 1rem; overflow-wrap: anywhere; }
ol { list-style: none; padding: 0; }
li { border: 1px solid #8a8f8b; border-radius: .75rem; padding: .75rem 1rem; margin: 0 0 .75rem; }
h2 { margin: 0; font-size: 1.05rem; }
p { margin: 0 0 .25rem; }
.text { white-space: pre-wrap; }
img { height: auto; max-width: 100%; }
pre { white-space: pre-wrap; font-size: .85rem; }`

interface ShownMessage {
  data?: { title?: string; msg?: string } & Record<string, string>
}
/** Returns a text of the platform with its parameters, and any other text unchanged. */
const fillIn = (
  text: string,
  params: Readonly<Record<string, string>>,
  texts: Readonly<Record<string, string>>,
): string =>
  (texts[text] ?? text).replace(/\{\{(\w+)\}\}/g, (_, name: string) => params[name] ?? '')

const renderPush = (
  { at, token, message, payload }: LocalMessage,
  texts: Readonly<Record<string, string>>,
): SafeHtml => {
  const { data = {} } = JSON.parse(message) as ShownMessage
  const time = new Date(at).toISOString()
  return html`<li>
    <h2>${fillIn(data.title ?? '', data, texts)}</h2>
    <p>${fillIn(data.msg ?? '', data, texts)}</p>
    <p><time datetime="${time}">${time}</time>, push to ${token}</p>
    <details>
      <summary>Message as sent, and as a browser gets it</summary>
      <pre>${JSON.stringify(JSON.parse(message), null, 2)}</pre>
      <pre>${payload}</pre>
    </details>
  </li>`
}

const CHANNEL_NAMES = { sms: 'SMS', email: 'E-mail', whatsapp: 'WhatsApp' }

/** Returns a text with its web addresses as links. */
const renderText = (text: string): SafeHtml[] =>
  text
    .split(/(https?:\/\/[^\s]+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`))

const renderOutgoing = ({
  at,
  channel,
  to,
  subject,
  text,
  html: body,
  pictures = [],
  language,
}: LocalOutgoing): SafeHtml => {
  const time = new Date(at).toISOString()
  const markup = html`<details>
    <summary>HTML</summary>
    <pre>${body ?? ''}</pre>
  </details>`
  return html`<li>
    <h2>${subject ?? CHANNEL_NAMES[channel]}</h2>
    <p class="text" dir="auto" lang="${language}">${renderText(text)}</p>
    <p><time datetime="${time}">${time}</time>, ${CHANNEL_NAMES[channel]} to ${to}</p>
    ${pictures.map(
      ({ name, png }) => html`<p><img src="data:image/png;base64,${png}" alt="${name}" /></p>`,
    )}
    ${body === undefined ? [] : [markup]}
  </li>`
}

const renderMessage = (
  message: LocalMessage | LocalOutgoing,
  texts: Readonly<Record<string, string>>,
): SafeHtml => ('channel' in message ? renderOutgoing(message) : renderPush(message, texts))

/** Returns the page that lists messages, given newest last. */
const renderLocalMessages = (
  messages: readonly (LocalMessage | LocalOutgoing)[],
  texts: Readonly<Record<string, string>>,
  nonce: string,
): string => {
  const list = html`<ol role="list">
    ${[...messages].reverse().map((message) => renderMessage(message, texts))}
  </ol>`
  const empty = html`<p>
    No message yet. Make a booking, and each message that would be sent appears here.
  </p>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>Local messages</title>
<style nonce="${escapeHtml(nonce)}">${STYLE}</style>
</head>
<body>
<main>
<h1>Local messages</h1>
<p>In local mode nothing leaves this machine. These are the newest pushes, SMS and e-mails that would have been sent.</p>
${(messages.length > 0 ? list : empty).safe}
</main>
</body>
</html>
`
}

/** Serves the inbox of local mode: a page for people, JSON for tests. It is never deployed. */
export const localMessagesHandler = (
  { pushes, outgoing }: { pushes: LocalMessageStore; outgoing: LocalMessageStore<LocalOutgoing> },
  texts: () => Promise<Record<string, Record<string, string>>>,
): HttpsFunction =>
  onRequest({ region: DEFAULT_REGION, cors: false }, async (request, response) => {
    const lists = await Promise.all([pushes.list(), outgoing.list()])
    const messages = lists.flat().sort((a, b) => a.at - b.at)
    response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
    if (request.query.format === 'json') {
      response.json(messages)
      return
    }
    const nonce = randomBytes(16).toString('base64')
    response
      .set({
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        'Referrer-Policy': 'no-referrer',
        'X-Frame-Options': 'DENY',
      })
      .send(renderLocalMessages(messages, (await texts())['en'] ?? {}, nonce))
  })
