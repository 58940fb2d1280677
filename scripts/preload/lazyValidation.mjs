// Makes the sign-in emulator compile the validator of a request when it first needs it, instead of
// all of them at its start, which took half of the time in which a local Kerbside starts.
// firebase-tools has no setting for it. `node --import` loads this file before firebase-tools.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.resolve('firebase-tools/lib/bin/firebase.js'))
// The copy that firebase-tools uses.
const exegesis = require('exegesis-express')
const { middleware } = exegesis
exegesis.middleware = (document, options) =>
  middleware(document, { ...options, lazyCompileValidationSchemas: true })
