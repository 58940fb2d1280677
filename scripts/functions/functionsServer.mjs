// Serves the built functions as in a deployment: a few processes, each with many concurrent calls.
// The emulator would start a process for each function and each concurrent call. A process that
// dies is replaced, as the platform does, and a new bundle replaces all of them. The arguments are
// the port and the number of processes. It ends when its standard input closes.
import cluster from 'node:cluster'
import { watchFile } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const MAX_BODY = '32mb'
/** The build writes the texts and maps after the code. */
const SETTLE_MS = 1000
const BUNDLE = join(import.meta.dirname, '..', '..', 'functions', 'lib')
const [port, processes] = process.argv.slice(2).map(Number)
// The system chooses the process for a connection. If Node.js did, a connection that it hands to a
// process that has just been killed would stay open without an answer.
cluster.schedulingPolicy = cluster.SCHED_NONE

/** Returns every HTTP function below an export by its deployed name. */
const served = (exported, prefix = '') =>
  Object.entries(exported).flatMap(([name, one]) => {
    const full = prefix + name
    if (typeof one !== 'function') return one ? served(one, `${full}-`) : []
    const { httpsTrigger, callableTrigger } = one.__endpoint ?? {}
    return httpsTrigger || callableTrigger ? [[full, one]] : []
  })

function serve() {
  const require = createRequire(
    createRequire(import.meta.url).resolve('firebase-functions/v2/https'),
  )
  const express = require('express')
  const bundle = require(join(BUNDLE, 'index.js'))
  const app = express()
  app.disable('x-powered-by')
  const verify = (request, _, bytes) => (request.rawBody = bytes)
  app.use(express.json({ limit: MAX_BODY, verify }))
  app.use(express.urlencoded({ limit: MAX_BODY, verify, extended: true }))
  app.use(express.text({ limit: MAX_BODY, verify }))
  app.use(express.raw({ limit: MAX_BODY, verify, type: '*/*' }))
  const home = `/${process.env.GCLOUD_PROJECT}/us-central1`
  for (const [name, handler] of served(bundle)) app.use(`${home}/${name}`, handler)
  app.use((_, response) =>
    response.status(404).json({ error: 'No such function. Check the path.' }),
  )
  app.listen(port, '127.0.0.1')
}

/** Starts a process; calls `onStart` when it serves. */
function start(onStart) {
  let ready = false
  const worker = cluster.fork()
  worker.once('listening', () => {
    ready = true
    onStart()
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
  for (const old of Object.values(cluster.workers))
    start(() => {
      old.replaced = true
      old.process.kill()
    })
}

function keep() {
  for (let i = 0; i < processes; i++) start(() => console.log('ready'))
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
