import { ServiceError, type Services } from '~/src/services/services'

const nothing = () => undefined
const none = async () => null
const doNothing = async () => undefined
const refuse = async () => {
  throw new ServiceError('unavailable', 'unavailable')
}

/** The ports of a page rendered by the build: a visitor who has read nothing yet. */
export const prerenderServices: Services = {
  auth: {
    subscribe: () => nothing,
    requestCode: refuse,
    verifyCode: refuse,
    fetchSentCode: none,
    fetchSignInTime: none,
    signInWith: refuse,
    changePhone: refuse,
    signOut: doNothing,
  },
  database: {
    subscribe: () => nothing,
    read: none,
    update: refuse,
    newKey: refuse,
    subscribeToConnection: () => nothing,
    reconnect: doNothing,
  },
  functions: { call: refuse, post: refuse, get: refuse },
  storage: { upload: refuse, uploadAtSignUp: refuse },
  offlineStorage: {
    read: async () => ({}),
    write: doNothing,
    claim: async () => false,
    clear: doNothing,
  },
  push: { getToken: none, removeToken: doNothing },
  isLocal: async () => false,
  getMapConfig: doNothing,
  isSiteReachable: async () => true,
  report: nothing,
}
