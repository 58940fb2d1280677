// Keeps malformed requests from ending the local suite. Parts of the Emulator Suite throw outside
// of any handler when they cannot parse a request line (`GET //` at the hosting emulator) or decode
// a file name (the storage emulator), and firebase-tools then exits. `node --import` loads this
// file into that process, and into the server of the functions, before it opens a port. It answers
// such requests, and those whose handler throws, with 400. It also refuses requests from pages of
// other sites at emulators that accept `Bearer owner` from any page a developer has open.
// KERBSIDE_GUARD_OPEN lists the ports of the process whose own code checks origins.
import { AsyncLocalStorage } from 'node:async_hooks'
import { Server } from 'node:http'

const LOCAL_PAGE = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i
const open = new Set((process.env.KERBSIDE_GUARD_OPEN ?? '').split(',').map(Number))

/** Returns true when `decodeURIComponent` accepts a text `times` times in a row. */
const isDecodable = (text, times) => {
  try {
    for (let i = 0; i < times; i += 1) text = decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/**
 * Returns true when the emulators can parse the request. Uses the emulators' own expressions, which
 * would throw there.
 */
const isParsable = ({ url = '', headers }) => {
  if (!url.startsWith('/') || url.startsWith('//')) return false
  if (!/^[\w.:[\]-]*$/.test(headers.host ?? '')) return false
  try {
    const { pathname, searchParams } = new URL(url, `http://${headers.host}`)
    // The storage emulator decodes a file's name again after Express has done so.
    return isDecodable(pathname, 2) && isDecodable(searchParams.get('name') ?? '', 1)
  } catch {
    return false
  }
}

/** Returns true for a page of another site, also when its name now points to this machine. */
const isForeign = ({ headers: { origin, host }, socket }) =>
  !open.has(socket.localPort) &&
  ((origin !== undefined && !LOCAL_PAGE.test(origin)) || (!!host && !LOCAL_HOST.test(host)))

const refuse = (response, status, error) => {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' })
  response.end(JSON.stringify({ error }))
}

const answering = new AsyncLocalStorage()
const refuseBroken = (response, fault) => {
  console.error(`A request could not be handled: ${fault instanceof Error ? fault.name : fault}`)
  refuse(response, 400, 'The request could not be handled. Check its path and headers.')
}

const { emit } = Server.prototype
/** Replaces the request listeners of every HTTP server in this process. */
Server.prototype.emit = function (event, ...args) {
  if (event !== 'request') return emit.call(this, event, ...args)
  const [request, response] = args
  if (!isParsable(request)) {
    refuse(response, 400, 'The request line cannot be parsed. Correct the path.')
    return true
  }
  if (isForeign(request)) {
    refuse(
      response,
      403,
      'Only pages of this machine may send requests. Use 127.0.0.1 or localhost.',
    )
    return true
  }
  try {
    return answering.run(response, () => emit.call(this, event, ...args))
  } catch (fault) {
    refuseBroken(response, fault)
    return true
  }
}

process.on('unhandledRejection', (fault) => {
  const response = answering.getStore()
  if (response) refuseBroken(response, fault)
  // It belongs to no request: the process ends, as it does without this file.
  else throw fault
})
