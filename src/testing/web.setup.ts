import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import { cacheComputedStyles } from './computedStyles'

// Runs before each test file. The files of a worker share the libraries, the document and its
// storage, which saves two thirds of the processor time. The app's own modules are loaded again for
// each file, and each test starts with an empty document and storage.
vi.resetModules()

// Stories wait this long for what they expect, so that a busy machine does not fail them.
configure({ asyncUtilTimeout: 60_000 })

// A few files run without a document.
const hasDocument = typeof document !== 'undefined'
if (hasDocument) {
  // jsdom has no canvas and logs long warnings about it; it has no layout to scroll.
  HTMLCanvasElement.prototype.getContext = () => null
  window.scrollTo = () => {}
  Element.prototype.scrollIntoView = () => {}
  vi.stubGlobal('getComputedStyle', cacheComputedStyles(getComputedStyle))

  beforeEach(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  afterEach(cleanup)
}

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  if (!hasDocument) return
  // Each file's own copy of the app adds its styles again.
  for (const style of document.querySelectorAll('style')) style.remove()
  // Tests define abilities of the device on the navigator, such as its position. They never replace
  // it: the map's library reads it once, when a worker first loads it.
  for (const name of Object.getOwnPropertyNames(navigator)) Reflect.deleteProperty(navigator, name)
})
