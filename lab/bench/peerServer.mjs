// Runs the peer in a separate process in plain JavaScript, so that our code does not slow it down.
// `node peerServer.mjs FOLDER PORT [FILE with the initial data]`
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [folder, port, file] = process.argv.slice(2)
const FirebaseServer = createRequire(join(folder, 'package.json'))('firebase-server')
const tree = file ? JSON.parse(readFileSync(file, 'utf8')) : null
new FirebaseServer({ port: Number(port), host: '127.0.0.1' }, `127.0.0.1:${port}`, tree)
console.log('listening')
