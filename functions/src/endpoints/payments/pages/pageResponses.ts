import { randomBytes } from 'node:crypto'
import type { Checkout } from '../../../ports/paymentAdapter'
import { renderHiddenInputs, html, renderPageHtml } from '../../../html'
import type { Translator } from '../../../ports/translator'

/** An HTTP response before it is sent. */
export interface PageResponse {
  status: number
  headers: Record<string, string>
  body: string
}

export const redirectTo = (url: string): PageResponse => ({
  status: 303,
  headers: { Location: url, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
  body: '',
})

const formatContentPolicy = (parts: Record<string, readonly string[]>): string =>
  Object.entries(parts)
    .map(([name, sources]) => `${name} ${sources.length > 0 ? sources.join(' ') : "'none'"}`)
    .join('; ')

interface PageContent {
  translator: Translator
  status?: number
  title: string
  body: string
  scriptCode?: string
  scriptUrls?: readonly string[]
  frameOrigins?: readonly string[]
  connectOrigins?: readonly string[]
  hasInlineStyles?: boolean
  /** Addresses that forms on the page may target, including redirects. */
  formTargets: readonly string[]
}

const getOrigin = (url: string) => new URL(url).origin

/** Renders a page under a policy that allows only what the page lists. */
const renderPage = (content: PageContent): PageResponse => {
  const { translator, status = 200, title, body, scriptCode, formTargets, ...more } = content
  const { scriptUrls = [], frameOrigins = [], connectOrigins = [], hasInlineStyles = false } = more
  const nonce = randomBytes(16).toString('base64')
  const scripts = scriptCode === undefined && scriptUrls.length === 0 ? [] : [`'nonce-${nonce}'`]
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': formatContentPolicy({
        'default-src': [],
        'script-src': [...scripts, ...scriptUrls.map(getOrigin)],
        'style-src': hasInlineStyles ? ["'unsafe-inline'"] : [`'nonce-${nonce}'`],
        'frame-src': frameOrigins,
        'connect-src': connectOrigins,
        'img-src': frameOrigins,
        'form-action': formTargets,
        'base-uri': [],
        'frame-ancestors': [],
      }),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    },
    body: renderPageHtml({
      title,
      locale: translator.locale,
      dir: translator.dir,
      body,
      nonce,
      scriptUrls,
      ...(scriptCode !== undefined && { scriptCode }),
    }),
  }
}

/** Returns a page that says what went wrong and what to do next, with a link to the app. */
export const errorPage = (
  translator: Translator,
  status: number,
  what: 'gone' | 'silent' | 'fault',
  back: string,
): PageResponse => {
  const title = translator.t(`${what}_title`)
  return renderPage({
    translator,
    status,
    title,
    formTargets: [],
    body: html`<h1>${title}</h1>
      <p>${translator.t(`${what}_text`)}</p>
      <p><a href="${back}">${translator.t('back')}</a></p>`.safe,
  })
}

/**
 * Returns the response that sends the browser to a checkout. `app` is the origin of the web app, to
 * which every route returns.
 */
export const renderCheckout = (
  checkout: Checkout,
  app: string,
  translator: Translator,
): PageResponse => {
  if (checkout.kind === 'redirect') return redirectTo(checkout.url)
  if (checkout.kind === 'page') {
    const {
      code,
      formTargets = [],
      ...script
    } = checkout.script ?? { code: undefined, scriptUrls: [] }
    return renderPage({
      translator,
      title: checkout.title,
      body: checkout.body,
      ...script,
      ...(code !== undefined && { scriptCode: code }),
      formTargets: ["'self'", app, ...formTargets],
    })
  }
  const { action, fields } = checkout
  return renderPage({
    translator,
    title: translator.t('payment'),
    // A provider may forward the form to another of its hosts, and browsers apply the policy to
    // redirects too.
    formTargets: ['https:'],
    body: html`<h1>${translator.t('moment_title')}</h1>
      <p>${translator.t('moment_text')}</p>
      <form method="post" action="${action}">
        ${renderHiddenInputs(fields)}
        <button type="submit">${translator.t('moment_go')}</button>
      </form>`.safe,
    scriptCode: 'document.forms[0].submit()',
  })
}
