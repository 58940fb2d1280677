import { randomBytes } from 'node:crypto'
import type { Checkout } from './adapter'
import { hidden, html, pageHtml } from './html'

/** An HTTP answer, before anything is sent. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

export const seeOther = (url: string): Answer => ({
  status: 303,
  headers: { Location: url, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
  body: '',
})

const policy = (parts: Record<string, readonly string[]>): string =>
  Object.entries(parts)
    .map(([name, sources]) => `${name} ${sources.length > 0 ? sources.join(' ') : "'none'"}`)
    .join('; ')

interface Page {
  status?: number
  title: string
  body: string
  script?: string
  load?: readonly string[]
  frames?: readonly string[]
  connects?: readonly string[]
  inlineStyles?: boolean
  /** Where forms of the page may lead, redirects included. */
  forms: readonly string[]
}

const originOf = (url: string) => new URL(url).origin

/** A page of ours under a policy that allows only what it names. */
export const page = ({ status = 200, title, body, script, forms, ...more }: Page): Answer => {
  const { load = [], frames = [], connects = [], inlineStyles = false } = more
  const nonce = randomBytes(16).toString('base64')
  const scripts = script === undefined && load.length === 0 ? [] : [`'nonce-${nonce}'`]
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy({
        'default-src': [],
        'script-src': [...scripts, ...load.map(originOf)],
        'style-src': inlineStyles ? ["'unsafe-inline'"] : [`'nonce-${nonce}'`],
        'frame-src': frames,
        'connect-src': connects,
        'img-src': frames,
        'form-action': forms,
        'base-uri': [],
        'frame-ancestors': [],
      }),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    },
    body: pageHtml({
      title,
      body,
      nonce,
      load,
      ...(script !== undefined && { script }),
    }),
  }
}

/** A page that says what to do next, with a way back to the app. */
export const sorry = (status: number, title: string, text: string, back: string): Answer =>
  page({
    status,
    title,
    forms: [],
    body: html`<h1>${title}</h1>
      <p>${text}</p>
      <p><a href="${back}">Back to the app</a></p>`.safe,
  })

/** The answer that takes the browser to a checkout. `app` is the web app's origin, at which every way ends. */
export const checkoutAnswer = (checkout: Checkout, app: string): Answer => {
  if (checkout.kind === 'redirect') return seeOther(checkout.url)
  if (checkout.kind === 'page') {
    const { code, ...script } = checkout.script ?? { code: undefined, load: [] }
    return page({
      title: checkout.title,
      body: checkout.body,
      ...script,
      ...(code !== undefined && { script: code }),
      forms: ["'self'", app],
    })
  }
  const { action, fields } = checkout
  return page({
    title: 'Payment',
    // A provider may send the form on to another of its hosts, and browsers hold redirects against the policy too.
    forms: ['https:'],
    body: html`<h1>One moment</h1>
      <p>You are being taken to the payment page.</p>
      <form method="post" action="${action}">
        ${hidden(fields)}
        <button type="submit">Continue to payment</button>
      </form>`.safe,
    script: 'document.forms[0].submit()',
  })
}
