import type { StartedCheckout } from '~/domain/api/api'
import type { User } from '~/domain/accounts/types'

/** Builds the ten checkout fields. The server trusts only the order's id and its owner. */
export const buildCheckoutFields = (
  { payment_id, amount, currency }: StartedCheckout,
  { id, firstName, lastName, mobile, email }: User,
  product_name: string,
): Record<string, string> => ({
  order_id: payment_id,
  amount: String(amount),
  currency,
  product_name,
  first_name: firstName,
  last_name: lastName,
  quantity: '1',
  cust_id: id,
  mobile_no: mobile,
  email,
})

/**
 * Adds the app's language to a provider's link when it differs from the profile's, which the server
 * knows.
 */
export const addLanguageToLink = (
  language: string,
  link: string,
  { lang }: Pick<User, 'lang'>,
): string => {
  if (language === lang?.langLocale) return link
  const url = new URL(link)
  url.searchParams.set('lang', language)
  return url.href
}

/** Leaves the app for a provider's page with a POST of hidden fields, which providers require. */
export const submitCheckoutForm = (url: string, fields: Record<string, string>): void => {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = url
  form.hidden = true
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  form.requestSubmit()
}
