import type { Locator } from 'playwright-core'
import { pollUntil } from './officeLocators'

/** The option of a list that the keyboard has reached. */
export const getActiveOption = (box: Locator) => box.locator('[role=option][aria-selected=true]')

/** Moves through the list with the arrow keys. Returns true when it has reached the text. */
const findByArrows = async (box: Locator, text: string): Promise<boolean> => {
  const active = getActiveOption(box)
  await box.focus()
  await box.press('Home')
  await active.waitFor()
  const size = Number(await active.getAttribute('aria-setsize'))
  for (let step = 1; step < size; step++) {
    if ((await active.innerText()).includes(text)) return true
    const before = await active.getAttribute('id')
    await box.press('ArrowDown')
    await pollUntil(() => active.getAttribute('id')).not.toBe(before)
  }
  return (await active.innerText()).includes(text)
}

/**
 * Chooses a row of the board's lists by keyboard as soon as it exists. Only rows in view exist, so
 * a long list may not contain the element of the row before.
 */
export const chooseByArrows = (box: Locator, text: string) =>
  pollUntil(() => findByArrows(box, text)).toBe(true)
