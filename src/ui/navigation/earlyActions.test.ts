import { beforeEach, expect, test, vi } from 'vitest'

const addButton = (part: Element) => {
  const button = part.appendChild(document.createElement('button'))
  const onClick = vi.fn()
  button.addEventListener('click', onClick)
  return { button, onClick }
}

beforeEach(() => {
  vi.resetModules()
  document.body.replaceChildren()
})

test('repeats the last press that came before the page could react, once', async () => {
  const { rememberEarlyAction, repeatEarlyAction } = await import('./earlyActions')
  const [first, last] = [addButton(document.body), addButton(document.body)]
  rememberEarlyAction()
  first.button.click()
  last.button.click()
  repeatEarlyAction()
  repeatEarlyAction()
  expect([first.onClick.mock.calls.length, last.onClick.mock.calls.length]).toEqual([1, 2])
})

test('repeats no press of a part that had reacted to it, nor an earlier one', async () => {
  const { markReady, rememberEarlyAction, repeatEarlyAction } = await import('./earlyActions')
  const header = document.body.appendChild(document.createElement('header'))
  const [early, menu] = [addButton(document.body), addButton(header)]
  rememberEarlyAction()
  early.button.click()
  markReady(header)
  menu.button.click()
  repeatEarlyAction()
  expect([early.onClick.mock.calls.length, menu.onClick.mock.calls.length]).toEqual([1, 1])
})
