import { createHash } from 'node:crypto'
import { isJsonObject } from '../auth'
import type { Actor } from '../auth'
import type { Namespace, WriteOptions } from '../namespace'
import { UNFILTERED_QUERY, isFiltered } from '../query/query'
import type { Query } from '../query/query'
import { invalidDataError, methodNotAllowedError, RequestError } from '../requestError'
import { Branch, createBranch, getNodeAt } from '../tree/node'
import type { Node } from '../tree/node'
import { compareKeys } from '../tree/order'
import { nodeToJsonText, writeJson } from '../tree/nodeJson'
import type { JsonForm } from '../tree/nodeJson'
import { parseReadPath, splitPath } from '../tree/path'
import type { Path } from '../tree/path'
import {
  authenticate,
  assertKnownParams,
  parseJsonBody,
  readBody,
  parseWriteLimit,
} from './restHttp'
import type { RestRequest, RestResponse } from './restHttp'
import { generatePushId } from './pushId'
import { parseQueryParams } from './queryParams'

const computeEtag = (node: Node | null): string => {
  if (node === null) return 'null_etag'
  const digest = createHash('sha1')
  writeJson(node, 'export', (piece) => digest.update(piece))
  return digest.digest('base64')
}

const isEtagRequested = ({ headers }: RestRequest['request']): boolean =>
  headers['x-firebase-etag'] === 'true' ||
  headers['if-match'] !== undefined ||
  headers['if-none-match'] !== undefined

const getJsonForm = (params: URLSearchParams): JsonForm => {
  const format = params.get('format')
  if (format !== null && format !== 'export') throw invalidDataError("format must be 'export'")
  return format === 'export' ? 'export' : 'arrays'
}

const toShallowJson = (node: Node | null): string => {
  if (!(node instanceof Branch)) return nodeToJsonText(node, 'plain')
  return `{${[...node.keys()].map((key) => `${JSON.stringify(key)}:true`).join(',')}}`
}

/** Returns a query's selection as a branch, because responses are ordered by key. */
const selectAsBranch = (namespace: Namespace, path: Path, query: Query): Node | null => {
  const entries = namespace.select(path, query).toSorted(([a], [b]) => compareKeys(a, b))
  return createBranch(
    entries.map(([key]) => key),
    entries.map(([, child]) => child),
    null,
  )
}

/** Reads for a GET: the node at its path, or the selection of its query there. */
export const readRequestedNode = (
  { keys, params }: RestRequest,
  namespace: Namespace,
  actor: Actor,
): { path: Path; query: Query; node: Node | null } => {
  const path = parseReadPath(keys)
  const parsed = parseQueryParams(params)
  const query = parsed ?? UNFILTERED_QUERY
  const node = namespace.read(path, query, actor)
  if (!namespace.isIndexed(path, query)) {
    throw invalidDataError(
      `Index not defined, add ".indexOn": "${query.index.name}", for path "/${path.join('/')}", to the rules`,
    )
  }
  return { path, query, node: isFiltered(query) ? selectAsBranch(namespace, path, query) : node }
}

const handleGet = (call: RestRequest, namespace: Namespace): RestResponse => {
  const { request, params } = call
  if (params.get('shallow') === 'true' && isEtagRequested(request)) {
    throw invalidDataError('ETag requests cannot be combined with shallow')
  }
  const { node, query } = readRequestedNode(call, namespace, authenticate(call))
  const headers: Record<string, string> = isEtagRequested(request)
    ? { ETag: computeEtag(node) }
    : {}
  const knownETag = request.headers['if-none-match']
  if (knownETag !== undefined && knownETag === headers['ETag'])
    return { status: 304, body: null, headers }
  if (params.get('print') === 'silent') return { status: 204, body: null, headers }
  if (params.get('shallow') === 'true') return { status: 200, body: toShallowJson(node), headers }
  // A query's selection is an object even if its keys look like array indexes.
  const form = getJsonForm(params) === 'export' ? 'export' : isFiltered(query) ? 'plain' : 'arrays'
  return { status: 200, body: { node, form }, headers }
}

interface WriteContext {
  readonly call: RestRequest
  readonly namespace: Namespace
  readonly actor: Actor
}

/** A refusal with the current value, thrown when `if-match` names another version. */
class EtagMismatchError extends RequestError {
  constructor(readonly current: Node | null) {
    super('etag_mismatch', 'ETag mismatch', 412)
  }
}

const createWriteOptions = ({ call, actor }: WriteContext): WriteOptions => {
  const expected = call.request.headers['if-match']
  return {
    shouldTrigger: !(actor.admin && call.params.get('disableTriggers') === 'true'),
    checkPrecondition: (node) => {
      if (expected !== undefined && expected !== '*' && expected !== computeEtag(node)) {
        throw new EtagMismatchError(node)
      }
    },
  }
}

const createWriteResponse = (
  { call }: WriteContext,
  node: Node | null,
  body: RestResponse['body'],
): RestResponse => {
  const headers: Record<string, string> = isEtagRequested(call.request)
    ? { ETag: computeEtag(node) }
    : {}
  return call.params.get('print') === 'silent'
    ? { status: 204, body: null, headers }
    : { status: 200, body, headers }
}

const handlePut = (writing: WriteContext, json: unknown, body: string): RestResponse => {
  const { call, namespace, actor } = writing
  const request = { path: call.keys, isMerge: false, json, text: body }
  const { root, base, text } = namespace.write(request, actor, createWriteOptions(writing))
  const node = getNodeAt(root, base)
  if (text !== null) return createWriteResponse(writing, node, text)
  if (call.keys.at(-1) === '.priority')
    return createWriteResponse(writing, node, JSON.stringify(json))
  return createWriteResponse(writing, node, { node, form: 'arrays' })
}

const handlePatch = (writing: WriteContext, json: unknown): RestResponse => {
  if (!isJsonObject(json)) throw invalidDataError('Invalid data; an update must be a JSON object.')
  const { call, namespace, actor } = writing
  const request = { path: call.keys, isMerge: true, json }
  const { root, base } = namespace.write(request, actor, createWriteOptions(writing))
  if (call.params.get('print') === 'silent')
    return createWriteResponse(writing, getNodeAt(root, base), null)
  const parts = Object.keys(json).map((key) => {
    const path = [...base, ...splitPath(key)]
    const text =
      path.at(-1) === '.priority'
        ? JSON.stringify(json[key])
        : nodeToJsonText(getNodeAt(root, path), 'arrays')
    return `${JSON.stringify(key)}:${text}`
  })
  return createWriteResponse(writing, getNodeAt(root, base), `{${parts.join(',')}}`)
}

const handlePost = (writing: WriteContext, json: unknown): RestResponse => {
  const { call, namespace, actor } = writing
  const name = generatePushId(Date.now())
  const request = { path: [...call.keys, name], isMerge: false, json }
  const { root, base } = namespace.write(request, actor, createWriteOptions(writing))
  return createWriteResponse(writing, getNodeAt(root, base), JSON.stringify({ name }))
}

const handleDelete = (writing: WriteContext): RestResponse => {
  const { call, namespace, actor } = writing
  const limit = parseWriteLimit(call.params)
  if (limit < Infinity && call.params.has('writeSizeLimit')) {
    let size = 0
    writeJson(getNodeAt(namespace.root, parseReadPath(call.keys)), 'export', (piece) => {
      size += piece.length
    })
    if (size > limit) {
      throw invalidDataError(
        'Data to write exceeds the maximum size that can be modified with a single request.',
      )
    }
  }
  const request = { path: call.keys, isMerge: false, json: null }
  namespace.write(request, actor, createWriteOptions(writing))
  return createWriteResponse(writing, null, 'null')
}

const handleWrite = async (writing: WriteContext): Promise<RestResponse> => {
  const { method, request, params } = writing.call
  if (method === 'DELETE') return handleDelete(writing)
  const act = { PUT: handlePut, PATCH: handlePatch, POST: handlePost }[method]
  if (act === undefined) throw methodNotAllowedError()
  const body = await readBody(request, parseWriteLimit(params))
  return act(writing, parseJsonBody(body), body)
}

/**
 * Handles a request for a value of the tree. Throws a refusal when it is invalid or not allowed.
 */
export const handleValueRequest = async (
  call: RestRequest,
  namespace: Namespace,
): Promise<RestResponse> => {
  assertKnownParams(call.params)
  if (call.method === 'GET' || call.method === 'HEAD') return handleGet(call, namespace)
  try {
    return await handleWrite({ call, namespace, actor: authenticate(call) })
  } catch (error) {
    if (!(error instanceof EtagMismatchError)) throw error
    const headers = { ETag: computeEtag(error.current) }
    return { status: 412, body: { node: error.current, form: 'arrays' }, headers }
  }
}
