import { fireEvent, render } from '@testing-library/react'
import { type ReactNode, useLayoutEffect } from 'react'
import { expect, test, vi } from 'vitest'
import { useDocumentKeys } from './useDocumentKeys'

const Listener = ({ onKey }: { onKey: (key: string) => void }) => {
  useDocumentKeys(({ key }) => onKey(key))
  return null
}

/** Presses a key as soon as its children are in the document, before the browser paints them. */
const EarlyKey = ({ children }: { children: ReactNode }) => {
  useLayoutEffect(() => {
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k' }))
  }, [])
  return children
}

test('hears a key pressed before the first paint', () => {
  const onKey = vi.fn()
  render(
    <EarlyKey>
      <Listener onKey={onKey} />
    </EarlyKey>,
  )
  expect(onKey.mock.calls).toEqual([['k']])
})

test('calls the newest handler, and none after the component is gone', () => {
  const first = vi.fn()
  const second = vi.fn()
  const { rerender, unmount } = render(<Listener onKey={first} />)
  rerender(<Listener onKey={second} />)
  fireEvent.keyDown(document, { key: 'a' })
  unmount()
  fireEvent.keyDown(document, { key: 'b' })
  expect(first).not.toHaveBeenCalled()
  expect(second.mock.calls).toEqual([['a']])
})
