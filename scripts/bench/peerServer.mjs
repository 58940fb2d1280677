// Why: the peer runs in a process of its own, in plain JavaScript, so that nothing of ours slows it down.
// node peerServer.mjs FOLDER PORT [FILE with the data to begin with]
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [folder, port, file] = process.argv.slice(2)
const FirebaseServer = createRequire(join(folder, 'package.json'))('firebase-server')
const tree = file ? JSON.parse(readFileSync(file, 'utf8')) : null
new FirebaseServer({ port: Number(port), host: '127.0.0.1' }, `127.0.0.1:${port}`, tree)
console.log('listening')
