import type { HttpsFunction } from 'firebase-functions/v2/https'
import { onRequest } from 'firebase-functions/v2/https'
import { getDeployedFunction } from '~/domain/api/functionGroups'
import { httpOptions } from '../deployment'

/** A deployable function, or a group of them whose name is the prefix of their names. */
interface Exported {
  [name: string]: unknown
}
interface Endpoint {
  httpsTrigger?: object
  callableTrigger?: object
  secretEnvironmentVariables?: { key: string }[]
}

const getEndpoint = (value: unknown): Endpoint | undefined =>
  typeof value === 'function' ? (value as { __endpoint?: Endpoint }).__endpoint : undefined

const isHttpFunction = (value: unknown): value is HttpsFunction => {
  const endpoint = getEndpoint(value)
  return Boolean(endpoint?.httpsTrigger ?? endpoint?.callableTrigger)
}

/** Returns a function that passes a request for `/name/rest` to the member `name` as `/rest`. */
const routeByName = (members: ReadonlyMap<string, HttpsFunction>): HttpsFunction => {
  const secrets = [...members.values()].flatMap(
    (member) => getEndpoint(member)?.secretEnvironmentVariables?.map(({ key }) => key) ?? [],
  )
  const options = { ...httpOptions(), secrets: [...new Set(secrets)] }
  return onRequest({ ...options, cors: false, invoker: 'public' }, async (request, response) => {
    const [, name = '', rest = ''] = /^\/([\w-]+)(?=[/?]|$)(.*)$/s.exec(request.url) ?? []
    const member = members.get(name)
    if (member === undefined) {
      response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
      response.status(404).json({ error: 'not_found', key: 'not_found' })
      return
    }
    request.url = rest.startsWith('/') ? rest : `/${rest}`
    await member(request, response)
  })
}

/**
 * Returns the functions to deploy: the endpoints over HTTP in the groups of the domain, triggers
 * and scheduled jobs as they are.
 */
export const groupFunctions = (exported: Exported): Exported => {
  const groups = new Map<string, Map<string, HttpsFunction>>()
  const takeGrouped = (level: Exported, prefix: string): Exported => {
    const rest: Exported = {}
    for (const [name, value] of Object.entries(level)) {
      const fullName = prefix + name
      if (isHttpFunction(value)) {
        const target = getDeployedFunction(fullName)
        if (target === fullName) rest[name] = value
        else
          groups.set(
            target,
            (groups.get(target) ?? new Map<string, HttpsFunction>()).set(fullName, value),
          )
      } else if (typeof value === 'object' && value !== null) {
        const below = takeGrouped(value as Exported, `${fullName}-`)
        if (Object.keys(below).length > 0) rest[name] = below
      } else if (value !== undefined) rest[name] = value
    }
    return rest
  }
  const deployed = takeGrouped(exported, '')
  for (const [name, members] of groups) deployed[name] = routeByName(members)
  return deployed
}
