import { expect, test } from 'vitest'
import { makeMemoryBackend } from '~/src/services/memory/memoryBackend'
import { makeStore } from './makeStore'
import { selectNotices } from './notices'
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
