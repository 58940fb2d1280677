import { randomBytes } from 'node:crypto'
import type { Checkout } from './adapter'
import { hidden, html, pageHtml } from './html'
import type { Speech } from './language'

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
  speech: Speech
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
export const page = (wanted: Page): Answer => {
  const { speech, status = 200, title, body, script, forms, ...more } = wanted
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
      locale: speech.locale,
      dir: speech.dir,
      body,
      nonce,
      load,
      ...(script !== undefined && { script }),
    }),
  }
}

/** A page that says what went wrong and what to do next, with a way back to the app. */
export const sorry = (
  speech: Speech,
  status: number,
  what: 'gone' | 'silent' | 'fault',
  back: string,
): Answer => {
  const title = speech.say(`${what}_title`)
  return page({
    speech,
    status,
    title,
    forms: [],
    body: html`<h1>${title}</h1>
      <p>${speech.say(`${what}_text`)}</p>
      <p><a href="${back}">${speech.say('back')}</a></p>`.safe,
  })
}

/** The answer that takes the browser to a checkout. `app` is the web app's origin, at which every way ends. */
export const checkoutAnswer = (checkout: Checkout, app: string, speech: Speech): Answer => {
  if (checkout.kind === 'redirect') return seeOther(checkout.url)
  if (checkout.kind === 'page') {
    const { code, forms = [], ...script } = checkout.script ?? { code: undefined, load: [] }
    return page({
      speech,
      title: checkout.title,
      body: checkout.body,
      ...script,
      ...(code !== undefined && { script: code }),
      forms: ["'self'", app, ...forms],
    })
  }
  const { action, fields } = checkout
  return page({
    speech,
    title: speech.say('payment'),
    // A provider may send the form on to another of its hosts, and browsers hold redirects against the policy too.
    forms: ['https:'],
    body: html`<h1>${speech.say('moment_title')}</h1>
      <p>${speech.say('moment_text')}</p>
      <form method="post" action="${action}">
        ${hidden(fields)}
        <button type="submit">${speech.say('moment_go')}</button>
      </form>`.safe,
    script: 'document.forms[0].submit()',
  })
}
