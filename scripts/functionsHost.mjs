// Why: the emulator gives each call at the same time a process of its own, as no deploy does, and a heavy run would only
// measure that. Here the built functions are served as they are deployed: in few processes, many calls in each. One that
// dies is replaced, as the platform does. `node scripts/functionsHost.mjs PORT PROCESSES`; it ends with its standard input.
import cluster from 'node:cluster'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const MAX_BODY = '32mb'
const [port, processes] = process.argv.slice(2).map(Number)

/** Every HTTP function below an export, by the name it is deployed under. */
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
  const bundle = require(join(import.meta.dirname, '..', 'functions', 'lib', 'index.js'))
  const app = express()
  app.disable('x-powered-by')
  const verify = (request, _, bytes) => (request.rawBody = bytes)
  app.use(express.json({ limit: MAX_BODY, verify }))
  app.use(express.urlencoded({ limit: MAX_BODY, verify, extended: true }))
  app.use(express.text({ limit: MAX_BODY, verify }))
  app.use(express.raw({ limit: MAX_BODY, verify, type: '*/*' }))
  const home = `/${process.env.GCLOUD_PROJECT}/us-central1`
  for (const [name, handler] of served(bundle)) app.use(`${home}/${name}`, handler)
  app.listen(port, '127.0.0.1')
}

function keep() {
  const start = () => {
    let ready = false
    const worker = cluster.fork()
    worker.once('listening', () => {
      ready = true
      console.log('ready')
    })
    // Whoever was never ready would not be the next time either.
    worker.once('exit', () => (ready ? start() : process.exit(1)))
  }
  for (let i = 0; i < processes; i++) start()
  process.stdin.resume()
  process.stdin.on('close', () => process.exit())
}

if (cluster.isPrimary) keep()
else serve()
