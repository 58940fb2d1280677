// Serves the built functions as in a deployment: a few processes, each with many concurrent calls.
// The emulator would start a process for each function and each concurrent call. A process that
// dies is replaced, as the platform does, and a new bundle replaces all of them. The arguments are
// the port for calls, the number of processes, and the port on which the database announces its
// changes to the triggers, or 0 for no triggers. It ends when its standard input closes.
import cluster from 'node:cluster'
import { watchFile } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const MAX_BODY = '32mb'
/** The build writes the texts and maps after the code. */
const SETTLE_MS = 1000
const BUNDLE = join(import.meta.dirname, '..', '..', 'functions', 'lib')
const [port, processes, triggerPort] = process.argv.slice(2).map(Number)
const PROJECT = process.env.GCLOUD_PROJECT
const REGION = 'us-central1'
const DATABASE_EVENT = 'google.firebase.database'
/** Milliseconds between attempts to reach a database that is still starting. */
const RETRY_DELAY_MS = 100
// The system chooses the process for a connection. If Node.js did, a connection that it hands to a
// process that has just been killed would stay open without an answer.
cluster.schedulingPolicy = cluster.SCHED_NONE

/** Returns every function below an export with its deployed name. */
const listFunctions = (exported, prefix = '') =>
  Object.entries(exported).flatMap(([name, one]) => {
    const full = prefix + name
    if (typeof one === 'function') return [[full, one]]
    return one ? listFunctions(one, `${full}-`) : []
  })

/** Returns the description by which a database knows a trigger; null for other functions. */
const describeTrigger = ([name, { __endpoint }]) => {
  const { eventType, eventFilters, eventFilterPathPatterns } = __endpoint?.eventTrigger ?? {}
  if (!eventType?.startsWith(DATABASE_EVENT)) return null
  return {
    name: `projects/${PROJECT}/locations/${REGION}/triggers/${name}`,
    path: eventFilterPathPatterns.ref,
    event: eventType,
    topic: `projects/${PROJECT}/topics/${name}`,
    namespacePattern: eventFilters?.instance ?? eventFilterPathPatterns.instance,
  }
}

function serveCalls(express, functions, onListening) {
  const app = express()
  app.disable('x-powered-by')
  const verify = (request, _, bytes) => (request.rawBody = bytes)
  app.use(express.json({ limit: MAX_BODY, verify }))
  app.use(express.urlencoded({ limit: MAX_BODY, verify, extended: true }))
  app.use(express.text({ limit: MAX_BODY, verify }))
  app.use(express.raw({ limit: MAX_BODY, verify, type: '*/*' }))
  for (const [name, handler] of functions) {
    const { httpsTrigger, callableTrigger } = handler.__endpoint ?? {}
    if (httpsTrigger || callableTrigger) app.use(`/${PROJECT}/${REGION}/${name}`, handler)
  }
  app.use((_, response) =>
    response.status(404).json({ error: 'No such function. Check the path.' }),
  )
  app.listen(port, '127.0.0.1', onListening)
}

/** Runs the triggers for the events that the database posts, as it does to the emulator. */
function serveTriggers(express, functions, onListening) {
  const triggers = new Map(functions.filter(describeTrigger))
  const app = express()
  app.disable('x-powered-by')
  app.use(express.json({ limit: MAX_BODY, type: '*/*' }))
  app.post(`/functions/projects/${PROJECT}/triggers/:name`, async (request, response) => {
    const run = triggers.get(request.params.name)
    if (!run) return response.status(404).json({ error: 'No such trigger. Check the path.' })
    try {
      await run(request.body)
      response.json({ status: 'acknowledged' })
    } catch (error) {
      console.error(error)
      response.status(500).json({ error: 'The trigger failed. The log says why.' })
    }
  })
  app.listen(triggerPort, '127.0.0.1', onListening)
}

/** Tells the database which changes it announces, as soon as it has started. */
async function registerTriggers(triggers) {
  const url = `http://${process.env.FIREBASE_DATABASE_EMULATOR_HOST}/.settings/functionTriggers.json`
  for (;;) {
    const response = await fetch(url, {
      method: 'PUT',
      headers: { Authorization: 'Bearer owner' },
      body: JSON.stringify(triggers),
    }).catch(() => null)
    if (response?.ok) return
    if (response) throw new Error(`The database refused the triggers: ${await response.text()}`)
    await pause(RETRY_DELAY_MS)
  }
}

/**
 * Returns a function that registers the triggers of the first process to serve a bundle.
 * `onRefusal` gets the error of a database that refuses them.
 */
function createRegistration(onRefusal) {
  let registering
  return (triggers) => {
    if (triggerPort > 0) registering ??= registerTriggers(triggers).catch(onRefusal)
    return registering
  }
}

function serve() {
  const require = createRequire(
    createRequire(import.meta.url).resolve('firebase-functions/v2/https'),
  )
  const express = require('express')
  const functions = listFunctions(require(join(BUNDLE, 'index.js')))
  const announce = () => process.send({ triggers: functions.map(describeTrigger).filter(Boolean) })
  serveCalls(express, functions, () => {
    if (triggerPort > 0) serveTriggers(express, functions, announce)
    else announce()
  })
}

/** Starts a process; calls `onStart` with its triggers when it serves. */
function start(onStart) {
  let ready = false
  const worker = cluster.fork()
  worker.once('message', ({ triggers }) => {
    ready = true
    onStart(triggers)
  })
  worker.once('exit', (_, signal) => {
    if (worker.replaced) return
    if (ready) start(() => {})
    else if (signal) start(onStart)
    // A process that failed to start by itself would fail again.
    else if (Object.keys(cluster.workers).length === 0) process.exit(1)
    else console.log('The functions could not be loaded. The previous ones keep running.')
  })
}

/** Replaces each process by one that has loaded the new bundle. */
function replaceAll() {
  console.log('Loading the new functions …')
  const register = createRegistration(({ message }) =>
    console.error(`${message} The previous ones stay registered.`),
  )
  for (const old of Object.values(cluster.workers))
    start(async (triggers) => {
      old.replaced = true
      old.process.kill()
      await register(triggers)
    })
}

function keep() {
  const register = createRegistration((error) => {
    throw error
  })
  for (let i = 0; i < processes; i++)
    start(async (triggers) => {
      await register(triggers)
      console.log('ready')
    })
  let timer
  watchFile(join(BUNDLE, 'index.js'), { interval: 500 }, ({ mtimeMs }) => {
    clearTimeout(timer)
    // The build deletes the file first.
    if (mtimeMs > 0) timer = setTimeout(replaceAll, SETTLE_MS)
  })
  process.stdin.resume()
  process.stdin.on('close', () => process.exit())
}

if (cluster.isPrimary) keep()
else serve()
