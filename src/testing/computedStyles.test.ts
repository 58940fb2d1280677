import { afterEach, expect, test, vi } from 'vitest'
import { cacheComputedStyles } from './computedStyles'

// The setup of the web tests has replaced it.
vi.unstubAllGlobals()
const compute = getComputedStyle
const PROPERTIES = ['display', 'visibility', 'pointer-events', 'direction']

afterEach(() => {
  document.head.replaceChildren()
  document.body.replaceChildren()
})

test('gives each element the style that it has without the cache', () => {
  document.head.innerHTML = '<style>.off { display: none; pointer-events: none }</style>'
  document.body.innerHTML = `
    <p>Shown</p><p hidden>Hidden</p><p style="display: none">Hidden by its own style</p>
    <p class="off">Hidden by a class</p><p class="off on">Also</p>
    <span>In a line</span><b>In a line</b><button>Pressed</button><button class="off">Not</button>
    <input><input type="hidden"><input type="checkbox">
    <dialog>Closed</dialog><dialog open>Open</dialog>
    <table><tbody><tr><td>Shown</td></tr><tr hidden><td>Collapsed</td></tr></tbody></table>
    <div style="visibility: hidden"><p>Inherited<b style="visibility: visible">Shown</b></p></div>
    <div style="pointer-events: none"><p><button>Not pressed</button></p></div>
    <div><p><b>To the right</b></p></div><div dir="rtl"><p><b>To the left</b></p></div>
  `
  const read = (style: typeof compute) =>
    [...document.querySelectorAll('*')].map((element) => [
      element.outerHTML,
      ...PROPERTIES.map((name) => style(element).getPropertyValue(name)),
    ])
  const expected = read(compute)
  expect(new Set(expected.map(([, display]) => display))).toContain('none')
  const cached = cacheComputedStyles(compute)
  expect(read(cached)).toEqual(expected)
  expect(read(cached)).toEqual(expected)
})

test('computes the style of equal elements once', () => {
  document.body.innerHTML =
    '<ul><li id="a">One</li><li id="b">Two</li><li class="c">Three</li></ul>'
  const counted = vi.fn(compute)
  const cached = cacheComputedStyles(counted)
  for (const item of document.querySelectorAll('li')) cached(item)
  expect(counted.mock.calls.map(([{ localName, className }]) => localName + className)).toEqual([
    'html',
    'body',
    'ul',
    'li',
    'lic',
  ])
})
