import { expect, test } from 'vitest'
import { makeMemoryBackend } from '~/src/services/memory/memoryBackend'
import { makeStore } from './makeStore'
import { domainError } from '~/domain/api/errors'
import { pageLeft, selectNotices } from './notices'
import { createServiceThunk } from './serviceThunk'

/** Opens a store whose calls wait for an update, each until its `finish` is called. */
const openStore = () => {
  const finish: (() => void)[] = []
  const { services } = makeMemoryBackend({})
  const store = makeStore({
    ...services,
    functions: {
      ...services.functions,
      call: (_name, _input, onWait) => {
        onWait?.()
        return new Promise<never>((resolve) => finish.push(() => resolve({} as never)))
      },
    },
  })
  const ensureProfile = createServiceThunk('test/ensureProfile', (_: void, { functions }) =>
    functions.call('ensure_profile', {}),
  )
  return {
    call: () => store.dispatch(ensureProfile()),
    finish,
    getTexts: () => selectNotices(store.getState()).map(({ text }) => text),
  }
}

test('a notice says that the service is being updated until the call ends', async () => {
  const { call, finish, getTexts } = openStore()
  const done = call()
  expect(getTexts()).toEqual(['service_updating'])
  finish[0]?.()
  await done
  expect(getTexts()).toEqual([])
})

test('the notice of two calls stays until the later one ends', async () => {
  const { call, finish, getTexts } = openStore()
  const first = call()
  const second = call()
  expect(getTexts()).toEqual(['service_updating'])
  finish[0]?.()
  await first
  expect(getTexts()).toEqual(['service_updating'])
  finish[1]?.()
  await second
  expect(getTexts()).toEqual([])
})

/** Opens a store with an operation that is refused once, and another one that always is. */
const openRefusing = () => {
  const store = makeStore(makeMemoryBackend({}).services)
  const createRefused = (name: string, refusals: number) => {
    let attempts = 0
    const run = createServiceThunk(name, async () => {
      attempts += 1
      if (attempts <= refusals)
        throw domainError(name === 'test/save' ? 'event_not_possible' : 'not_found')
    })
    return () => store.dispatch(run())
  }
  return {
    save: createRefused('test/save', 1),
    remove: createRefused('test/remove', Infinity),
    leavePage: () => store.dispatch(pageLeft()),
    getTexts: () => selectNotices(store.getState()).map(({ text }) => text),
  }
}

test('the notice of a refusal ends with the next attempt of the same operation', async () => {
  const { save, remove, getTexts } = openRefusing()
  await save()
  await remove()
  expect(getTexts()).toEqual(['event_not_possible', 'not_found'])
  await save()
  expect(getTexts()).toEqual(['not_found'])
})

test('the notice of a refusal ends when the person leaves its page', async () => {
  const { remove, leavePage, getTexts } = openRefusing()
  await remove()
  expect(getTexts()).toEqual(['not_found'])
  leavePage()
  expect(getTexts()).toEqual([])
})
