import { act, render, renderHook, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, test } from 'vitest'
import { lazyWithRetry, useIsLoaded } from './lazyWithRetry'

const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>

/** Returns a part whose file arrives when `arrive` is called. */
const makePart = () => {
  let arrive = () => {}
  const file = new Promise<typeof Greeting>((resolve) => (arrive = () => resolve(Greeting)))
  const Part = lazyWithRetry(() => file)
  const element = (name: string) => (
    <Suspense fallback={<p>Loading</p>}>
      <Part name={name} />
    </Suspense>
  )
  return { Part, element, arrive: () => arrive() }
}

test('renders without its fallback when its file has arrived', async () => {
  const { Part, element, arrive } = makePart()
  Part.preload()
  arrive()
  await Promise.resolve()
  render(element('Ana'))
  expect(screen.getByText('Hello Ana')).toBeInTheDocument()
})

test('shows its fallback until its file arrives, and stays the same element', async () => {
  const { element, arrive } = makePart()
  const { rerender } = render(element('Ana'))
  expect(screen.getByText('Loading')).toBeInTheDocument()
  arrive()
  const shown = await screen.findByText('Hello Ana')
  rerender(element('Beto'))
  expect(screen.getByText('Hello Beto')).toBe(shown)
})

test('a part counts as loaded once its file has arrived', async () => {
  const [first, second] = [makePart(), makePart()]
  const { result, rerender } = renderHook(useIsLoaded, { initialProps: first.Part })
  expect(result.current).toBe(false)
  rerender(second.Part)
  await act(async () => first.arrive())
  expect(result.current).toBe(false)
  await act(async () => second.arrive())
  expect(result.current).toBe(true)
  rerender(first.Part)
  expect(result.current).toBe(true)
})

test('a part that cannot be loaded counts as loaded, so that it renders and says so', async () => {
  const Part = lazyWithRetry(() => Promise.reject(new Error('broken')))
  const { result } = renderHook(() => useIsLoaded(Part))
  expect(result.current).toBe(false)
  await act(async () => Part.preload())
  expect(result.current).toBe(true)
})
