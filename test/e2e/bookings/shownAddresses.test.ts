import { afterAll, beforeAll, expect, test } from 'vitest'
import { PHONE } from '../../support/driverSetup'
import { pollUntil } from '../../support/officeLocators'
import { openTestBrowser, type TestBrowser } from '../../support/testBrowser'

let browser: TestBrowser
beforeAll(async () => {
  browser = await openTestBrowser()
})
afterAll(() => browser.close())

test.each([
  { words: 'tres cruces', first: /Terminal Tres Cruces/i },
  { words: 'bulevar artigas', first: /^Bulevar .*Artigas/i },
  { words: '18 de julio 1234', first: /18 de Julio/i },
  // The map has no such house, but the street.
  { words: 'avenida italia 99999', first: /^Avenida Italia/i },
  { words: 'plaza independencia', first: /Plaza Independencia/i },
])('the address chosen for “$words” is found when it is typed back', async ({ words, first }) => {
  const { page, context, errors } = await browser.openAs(null, '/', PHONE)
  const pickup = page.getByRole('combobox', { name: 'Pickup', exact: true })
  const firstOption = page.getByRole('option').first()
  await pickup.fill(words)
  await pollUntil(() => firstOption.innerText()).toMatch(first)
  await firstOption.click()
  await pollUntil(() => pickup.inputValue()).toMatch(first)
  const address = await pickup.inputValue()

  // A recent place would answer before the search.
  await page.evaluate(() => localStorage.removeItem('kerbside.recent'))
  await page.reload()
  await pickup.fill(address)
  await pollUntil(async () => (await firstOption.innerText()).replace(/\s*\n\s*/g, ', ')).toBe(
    address,
  )
  expect(errors).toEqual([])
  await context.close()
})
