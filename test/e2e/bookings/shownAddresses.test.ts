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
  { words: 'tres cruces', first: /^Terminal Tres Cruces\b/ },
  { words: 'trescruces', first: /^Terminal Tres Cruces\b/ },
  { words: 'br. artigas 1825', first: /^Bulevar General Artigas 1825\b/ },
  { words: '18 de julio 1234', first: /^Avenida 18 de Julio 1234\b/ },
  // The map has no such houses, but the streets.
  { words: 'avenida italia 99999', first: /^Avenida Italia(?! \d)/ },
  { words: 'san pedro 1234', first: /^San Pedro(?! \d)/ },
  { words: 'plaza independencia', first: /^Plaza Independencia\b/ },
])('the address chosen for “$words” is found when it is typed back', async ({ words, first }) => {
  const openPickup = async () => {
    // A new browser knows neither recent places nor the pickup chosen before.
    const screen = await browser.openAs(null, '/', PHONE)
    const pickup = screen.page.getByRole('combobox', { name: 'Pickup', exact: true })
    return { ...screen, pickup, firstOption: screen.page.getByRole('option').first() }
  }
  const before = await openPickup()
  await before.pickup.fill(words)
  await pollUntil(() => before.firstOption.innerText()).toMatch(first)
  await before.firstOption.click()
  await pollUntil(() => before.pickup.inputValue()).toMatch(first)
  const address = await before.pickup.inputValue()
  await before.context.close()

  const after = await openPickup()
  await after.pickup.fill(address)
  await pollUntil(async () =>
    (await after.firstOption.innerText()).replace(/\s*\n\s*/g, ', '),
  ).toBe(address)
  expect([...before.errors, ...after.errors]).toEqual([])
  await after.context.close()
})
