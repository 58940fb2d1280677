import { render } from '@testing-library/react'
import { type ReactNode, useLayoutEffect } from 'react'
import { expect, test, vi } from 'vitest'
import { useSoundUnlock } from './sound'

const resume = vi.fn(() => Promise.resolve())
vi.stubGlobal(
  'AudioContext',
  class {
    resume = resume
  },
)

const Unlock = () => {
  useSoundUnlock()
  return null
}

/** Touches the page as soon as its children are in the document, before the browser paints them. */
const EarlyTouch = ({ children }: { children: ReactNode }) => {
  useLayoutEffect(() => {
    document.dispatchEvent(new Event('pointerdown'))
  }, [])
  return children
}

test('enables sound by a touch before the first paint', () => {
  render(
    <EarlyTouch>
      <Unlock />
    </EarlyTouch>,
  )
  expect(resume).toHaveBeenCalledOnce()
})
