import { createHash } from 'node:crypto'
import { isJsonObject } from '../auth'
import type { Actor } from '../auth'
import type { Namespace, WriteOptions } from '../namespace'
import { ALL, isFiltered } from '../query/query'
import type { Query } from '../query/query'
import { invalid, notAllowed, Refusal } from '../refusal'
import { Branch, branchOf, nodeAt } from '../tree/node'
import type { Node } from '../tree/node'
import { compareKeys } from '../tree/order'
import { jsonText, writeJson } from '../tree/json'
import type { Form } from '../tree/json'
import { placeOf, splitPath } from '../tree/path'
import type { Path } from '../tree/path'
import { actorOf, jsonBody, readBody, writeLimit } from './http'
import type { Call, Reply } from './http'
import { pushId } from './pushId'
import { queryFromParams } from './query'

const etagOf = (node: Node | null): string => {
  if (node === null) return 'null_etag'
  const digest = createHash('sha1')
  writeJson(node, 'export', (piece) => digest.update(piece))
  return digest.digest('base64')
}

const wantsEtag = ({ headers }: Call['request']): boolean =>
  headers['x-firebase-etag'] === 'true' ||
  headers['if-match'] !== undefined ||
  headers['if-none-match'] !== undefined

const formOf = (params: URLSearchParams): Form => {
  const format = params.get('format')
  if (format !== null && format !== 'export') throw invalid("format must be 'export'")
  return format === 'export' ? 'export' : 'arrays'
}

const shallowText = (node: Node | null): string => {
  if (!(node instanceof Branch)) return jsonText(node, 'plain')
  return `{${[...node.keys()].map((key) => `${JSON.stringify(key)}:true`).join(',')}}`
}

/** What a query selects, as a branch: an answer's order is that of its keys. */
const selected = (namespace: Namespace, path: Path, query: Query): Node | null => {
  const entries = namespace.select(path, query).toSorted(([a], [b]) => compareKeys(a, b))
  return branchOf(
    entries.map(([key]) => key),
    entries.map(([, child]) => child),
    null,
  )
}

/** Reads for a GET: the node at its path, or what its query selects there. */
export const readFor = (
  { keys, params }: Call,
  namespace: Namespace,
  actor: Actor,
): { path: Path; query: Query; node: Node | null } => {
  const path = placeOf(keys)
  const asked = queryFromParams(params)
  const query = asked ?? ALL
  const node = namespace.read(path, query, actor)
  if (!namespace.isIndexed(path, query)) {
    throw invalid(
      `Index not defined, add ".indexOn": "${query.index.name}", for path "/${path.join('/')}", to the rules`,
    )
  }
  return { path, query, node: isFiltered(query) ? selected(namespace, path, query) : node }
}

const get = (call: Call, namespace: Namespace): Reply => {
  const { request, params } = call
  const { node, query } = readFor(call, namespace, actorOf(call))
  const headers: Record<string, string> = wantsEtag(request) ? { ETag: etagOf(node) } : {}
  const known = request.headers['if-none-match']
  if (known !== undefined && known === headers['ETag']) return { status: 304, body: null, headers }
  if (params.get('print') === 'silent') return { status: 204, body: null, headers }
  if (params.get('shallow') === 'true') return { status: 200, body: shallowText(node), headers }
  // What a query selects is an object even where its keys look like an array's.
  const form = formOf(params) === 'export' ? 'export' : isFiltered(query) ? 'plain' : 'arrays'
  return { status: 200, body: { node, form }, headers }
}

interface Writing {
  readonly call: Call
  readonly namespace: Namespace
  readonly actor: Actor
}

/** Refuses with what is there when `if-match` names another version. */
class Mismatch extends Refusal {
  constructor(readonly current: Node | null) {
    super('etag_mismatch', 'ETag mismatch', 412)
  }
}

const optionsFor = ({ call, actor }: Writing): WriteOptions => {
  const expected = call.request.headers['if-match']
  return {
    triggers: !(actor.admin && call.params.get('disableTriggers') === 'true'),
    precondition: (node) => {
      if (expected !== undefined && expected !== '*' && expected !== etagOf(node)) {
        throw new Mismatch(node)
      }
    },
  }
}

const written = ({ call }: Writing, node: Node | null, body: Reply['body']): Reply => {
  const headers: Record<string, string> = wantsEtag(call.request) ? { ETag: etagOf(node) } : {}
  return call.params.get('print') === 'silent'
    ? { status: 204, body: null, headers }
    : { status: 200, body, headers }
}

const put = (writing: Writing, json: unknown, body: string): Reply => {
  const { call, namespace, actor } = writing
  const request = { path: call.keys, merge: false, json, text: body }
  const { root, base, text } = namespace.write(request, actor, optionsFor(writing))
  const node = nodeAt(root, base)
  if (text !== null) return written(writing, node, text)
  if (call.keys.at(-1) === '.priority') return written(writing, node, JSON.stringify(json))
  return written(writing, node, { node, form: 'arrays' })
}

const patch = (writing: Writing, json: unknown): Reply => {
  if (!isJsonObject(json)) throw invalid('Invalid data; an update must be a JSON object.')
  const { call, namespace, actor } = writing
  const request = { path: call.keys, merge: true, json }
  const { root, base } = namespace.write(request, actor, optionsFor(writing))
  if (call.params.get('print') === 'silent') return written(writing, nodeAt(root, base), null)
  const parts = Object.keys(json).map((key) => {
    const path = [...base, ...splitPath(key)]
    const text =
      path.at(-1) === '.priority'
        ? JSON.stringify(json[key])
        : jsonText(nodeAt(root, path), 'arrays')
    return `${JSON.stringify(key)}:${text}`
  })
  return written(writing, nodeAt(root, base), `{${parts.join(',')}}`)
}

const post = (writing: Writing, json: unknown): Reply => {
  const { call, namespace, actor } = writing
  const name = pushId(Date.now())
  const request = { path: [...call.keys, name], merge: false, json }
  const { root, base } = namespace.write(request, actor, optionsFor(writing))
  return written(writing, nodeAt(root, base), JSON.stringify({ name }))
}

const remove = (writing: Writing): Reply => {
  const { call, namespace, actor } = writing
  const limit = writeLimit(call.params)
  if (limit < Infinity && call.params.has('writeSizeLimit')) {
    let size = 0
    writeJson(nodeAt(namespace.root, placeOf(call.keys)), 'export', (piece) => {
      size += piece.length
    })
    if (size > limit) {
      throw invalid(
        'Data to write exceeds the maximum size that can be modified with a single request.',
      )
    }
  }
  const request = { path: call.keys, merge: false, json: null }
  namespace.write(request, actor, optionsFor(writing))
  return written(writing, null, 'null')
}

const write = async (writing: Writing): Promise<Reply> => {
  const { method, request, params } = writing.call
  if (method === 'DELETE') return remove(writing)
  const act = { PUT: put, PATCH: patch, POST: post }[method]
  if (act === undefined) throw notAllowed()
  const body = await readBody(request, writeLimit(params))
  return act(writing, jsonBody(body), body)
}

/** Answers a request for a value of the tree; throws the refusal when it can't be done. */
export const answerValue = async (call: Call, namespace: Namespace): Promise<Reply> => {
  if (call.method === 'GET' || call.method === 'HEAD') return get(call, namespace)
  try {
    return await write({ call, namespace, actor: actorOf(call) })
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error
    const headers = { ETag: etagOf(error.current) }
    return { status: 412, body: { node: error.current, form: 'arrays' }, headers }
  }
}
