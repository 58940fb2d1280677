import { describe, expect, it } from 'vitest'
import { aRider } from '~/domain/testing/builders'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { continueBroadcasts, runBroadcast } from './broadcast'
import { createProjectPorts, nameDevices, TEST_NOW } from '../../testing/testPorts'

const COUNT = 450
const uids = Array.from({ length: COUNT }, (_, i) => `r${String(i).padStart(4, '0')}`)
const message = {
  notification_id: 'n1',
  title: 'Rain',
  body: 'Drive with care',
  usertype: 'rider',
  devicetype: 'All',
} as const

const project = () =>
  createProjectPorts({
    users: Object.fromEntries(uids.map((id) => [id, aRider({ id })])),
    ...nameDevices(
      Object.fromEntries(
        uids.map((id) => [id, { token: `token-${id}`, platform: 'ANDROID' as const }]),
      ),
    ),
  })
type Given = ReturnType<typeof project>

const start = (given: Given, hasTime = () => true) =>
  runBroadcast(given, message, hasTime, async () => {
    given.db.put({ 'notifications/n1': { ...message, id: 'n1', createdAt: TEST_NOW } })
  })
const getReached = (given: Given) => Object.keys(given.db.at('inbox') ?? {})
const getPushed = (given: Given) => given.pushed.map(({ token }) => token).sort()

describe('a broadcast', () => {
  it('continues after a crash in the scheduled job, and reaches each recipient exactly once', async () => {
    const given = project()
    const { update } = given.db
    let writes = 0
    given.db.update = (updates) =>
      // The process dies within the second page.
      (writes += 1) > 300 ? Promise.reject(new Error('The process is gone.')) : update(updates)
    await expect(start(given)).rejects.toThrow('The process is gone.')
    expect(getReached(given).length).toBeLessThan(COUNT)
    given.db.update = update

    // Another process may still be at work.
    await continueBroadcasts(given, TEST_NOW + MINUTE_MS / 2)
    expect(getReached(given).length).toBeLessThan(COUNT)
    await continueBroadcasts(given, TEST_NOW + MINUTE_MS)
    expect(getReached(given)).toEqual(uids)
    expect(getPushed(given)).toEqual(uids.map((uid) => `token-${uid}`))
    expect(given.db.at('internal/broadcasts')).toBeNull()
  })

  it('stops when its time is over, and continues with the next page', async () => {
    const given = project()
    const first = await start(given, () => false)
    expect(first).toEqual({ matched: 200, sent: 200, isDone: false })
    expect(await start(given)).toEqual({ matched: COUNT, sent: COUNT - 200, isDone: true })
    expect(getPushed(given)).toHaveLength(COUNT)
  })

  it('reaches each recipient once when fifty runs overlap', async () => {
    const given = project()
    const results = await Promise.all(Array.from({ length: 50 }, () => start(given)))
    // A run that stops because another one works reports the recipients that it found.
    expect(results.filter(({ matched }) => matched === 0)).toEqual([])
    await continueBroadcasts(given, TEST_NOW + MINUTE_MS)
    expect(getReached(given)).toEqual(uids)
    expect(getPushed(given)).toEqual(uids.map((uid) => `token-${uid}`))
  })

  it('reads the named device and the devices of each recipient, and never a whole user', async () => {
    const given = project()
    const paths = new Set<string>()
    const { read, list } = given.db
    given.db.read = (path) => {
      paths.add(path.replace(/^(users|inbox|push_tokens|internal\/named_devices)\/[^/]+/, '$1/id'))
      return read(path)
    }
    given.db.list = (path, query) => {
      paths.add(path)
      return list(path, query)
    }
    await start(given)
    expect([...paths].sort()).toEqual([
      'inbox/id/n1',
      'internal/broadcasts/n1',
      'internal/named_devices/id',
      'push_tokens',
      'push_tokens/id',
      'roles',
    ])
  })

  it('forgets a broadcast that died before its notification was recorded', async () => {
    const given = project()
    const progress = { after: '', matched: 0, at: TEST_NOW, revision: 1 }
    await given.db.update({ 'internal/broadcasts/lost': progress })
    await continueBroadcasts(given, TEST_NOW + MINUTE_MS)
    expect(given.db.at('internal/broadcasts')).toBeNull()
    expect(given.pushed).toEqual([])
  })
})
