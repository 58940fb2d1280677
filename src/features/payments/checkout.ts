import type { User } from '~/domain/entities'
import type { StartedPayment } from './payments'

/** The specification's ten fields. The server believes none of them but the order's id and whose it is. */
export const checkoutFields = (
  { payment_id, amount, currency }: StartedPayment,
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

/** A provider's page in the language the app speaks, where that is not the profile's, which the server knows. */
export const linkIn = (language: string, link: string, { lang }: Pick<User, 'lang'>): string => {
  if (language === lang?.langLocale) return link
  const url = new URL(link)
  url.searchParams.set('lang', language)
  return url.href
}

/** Leaves the app for a provider's page: a POST of hidden fields, as providers want it. */
export const postCheckout = (url: string, fields: Record<string, string>): void => {
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
