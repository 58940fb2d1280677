import { expect, it } from 'vitest'
import { getEndpointUrl } from './endpointAccess'

const address = { host: '127.0.0.1', port: 1 }
const emulators = { auth: '', database: address, functions: address, storage: address }

it.each([
  ['track', 'https://calls.example/api/track', 'http://127.0.0.1:5001/demo/track'],
  [
    'create_booking',
    'https://calls.example/create_booking',
    'http://127.0.0.1:5001/demo/create_booking',
  ],
])(
  'finds %s in its group of a deployed project and by its own name in the emulator',
  (name, deployed, local) => {
    expect(getEndpointUrl({ emulators: null, functionsUrl: 'https://calls.example' }, name)).toBe(
      deployed,
    )
    expect(getEndpointUrl({ emulators, functionsUrl: 'http://127.0.0.1:5001/demo' }, name)).toBe(
      local,
    )
  },
)
