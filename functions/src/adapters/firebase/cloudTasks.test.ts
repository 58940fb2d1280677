import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deleteApp } from 'firebase-admin/app'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { getFirebaseApp } from './firebaseDatabase'

interface Task {
  name: string
  scheduleTime: string
  httpRequest: { body: string; headers: Record<string, string> }
}

const QUEUE = 'projects/demo-tasks/locations/us-central1/queues/sweep_pass'
const requests: { path: string; task: Task }[] = []
let status = 200
let server: Server
beforeAll(async () => {
  // Answers like Cloud Tasks: 409 for a name that a task has, or had within the last hours.
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      requests.push({ path: request.url ?? '', ...(JSON.parse(body) as { task: Task }) })
      response.writeHead(status, { 'Content-Type': 'application/json' })
      const error = { code: status, message: 'No.', status: 'PERMISSION_DENIED' }
      response.end(JSON.stringify(status === 200 ? {} : { error }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  vi.stubEnv('CLOUD_TASKS_EMULATOR_HOST', `127.0.0.1:${(server.address() as AddressInfo).port}`)
  vi.stubEnv(
    'FIREBASE_CONFIG',
    JSON.stringify({
      projectId: 'demo-tasks',
      serviceAccountId: '123-compute@developer.gserviceaccount.com',
    }),
  )
})
afterAll(async () => {
  // The next test file of this process opens it with another project.
  await deleteApp(getFirebaseApp())
  vi.unstubAllEnvs()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(() => {
  requests.length = 0
  status = 200
})
const schedule = async () => {
  const { cloudTasks } = await import('./cloudTasks')
  return cloudTasks.scheduleDueBookings('due-123-15', 15)
}

it('creates one task with its own name and time in the queue of the function', async () => {
  const before = Date.now()
  await schedule()
  const [created] = requests
  expect(created).toMatchObject({
    path: `/${QUEUE}/tasks`,
    task: {
      name: `${QUEUE}/tasks/due-123-15`,
      httpRequest: {
        headers: { 'Content-Type': 'application/json' },
        oidcToken: { serviceAccountEmail: '123-compute@developer.gserviceaccount.com' },
      },
    },
  })
  expect(Date.parse(created?.task.scheduleTime ?? '')).toBeGreaterThanOrEqual(before + 14_000)
  expect(JSON.parse(atob(created?.task.httpRequest.body ?? ''))).toEqual({ data: {} })
  expect(requests).toHaveLength(1)
})

it('accepts that a task with this name exists', async () => {
  status = 409
  await expect(schedule()).resolves.toBeUndefined()
  expect(requests).toHaveLength(1)
})

it('rejects when the queue refuses the task', async () => {
  status = 403
  await expect(schedule()).rejects.toMatchObject({ code: 'functions/permission-denied' })
})
