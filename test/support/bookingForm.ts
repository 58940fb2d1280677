import type { Locator, Page } from 'playwright-core'

/** Types into a place field of the booking form and chooses the first suggestion that fits. */
export const choosePlace = async (
  page: Page | Locator,
  field: string,
  words: string,
  full: RegExp,
) => {
  await page.getByRole('combobox', { name: field, exact: true }).fill(words)
  await page.getByRole('option', { name: full }).first().click()
}

/**
 * Books a parcel with the form of the home page, paid in cash. Returns the reference that the page
 * shows.
 */
export const bookParcel = async (site: Page): Promise<string> => {
  await choosePlace(site, 'Pickup', 'plaza independencia', /Plaza Independencia/i)
  await choosePlace(site, 'Drop-off', 'montevideo shopping', /Montevideo Shopping/i)
  await site.getByRole('radio', { name: /Courier/ }).check({ force: true })
  await site.getByText(/km · about/).waitFor()
  await site.getByRole('button', { name: 'Book now' }).click()
  const extras = site.getByRole('dialog', { name: 'What are you sending?' })
  await extras.getByRole('group', { name: 'Extra service' }).getByRole('radio').last().check({
    force: true,
  })
  await extras.getByRole('button', { name: 'Continue' }).click()
  const estimate = site.getByRole('dialog', { name: 'Your estimate' })
  await estimate.getByLabel('Recipient', { exact: true }).fill('Ana Pereira')
  await estimate.getByLabel('Recipient’s phone').fill('099 123 456')
  await estimate.getByLabel('Delivery instructions').fill('Ring twice')
  await estimate.getByRole('button', { name: /^Book for/ }).click()
  const payment = site.getByRole('dialog', { name: 'How would you like to pay?' })
  await payment.getByRole('radio', { name: /Cash/ }).check({ force: true })
  await payment.getByRole('button', { name: /^Pay/ }).last().click()
  const text = await site.getByText(/Your booking was successful. Reference:/).textContent()
  await site.waitForURL(/\/bookings\/-/)
  return /Reference: (\S+)/.exec(text ?? '')?.[1] ?? ''
}
