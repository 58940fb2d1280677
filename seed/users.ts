import { type Random, createSeededRandom } from '~/domain/data/seededRandom'
import { DAY_MS } from '~/domain/language/timeUnits'
import type { DemoCategory } from './catalog'
import { DEMO_ACCOUNTS } from './demoAccounts'
import { createPushToken } from './randomKeys'
import { places } from './places'
import type { NamedDevice, User } from '~/domain/accounts/types'

const FIRST_NAMES = [
  'Valentina',
  'Mateo',
  'Lucía',
  'Santiago',
  'Camila',
  'Joaquín',
  'Martina',
  'Benjamín',
  'Sofía',
  'Agustín',
  'Julieta',
  'Thiago',
  'Florencia',
  'Bruno',
  'Antonella',
  'Facundo',
  'Carolina',
  'Nicolás',
  'Romina',
  'Diego',
  'Paula',
  'Gonzalo',
  'Micaela',
  'Rodrigo',
  'Elena',
  'Federico',
  'Ana',
  'Sebastián',
  'Victoria',
  'Pablo',
  'Inés',
  'Ramiro',
  'Natalia',
  'Emiliano',
  'Mariana',
  'Leandro',
  'Cecilia',
  'Andrés',
  'Rosario',
  'Tomás',
] as const
const LAST_NAMES = [
  'Rodríguez',
  'González',
  'Martínez',
  'Fernández',
  'Pereira',
  'Silva',
  'Suárez',
  'Cabrera',
  'Olivera',
  'Techera',
  'Acosta',
  'Viera',
  'Bentancur',
  'Sosa',
  'Núñez',
  'Larrosa',
  'Machado',
  'Píriz',
  'Da Silva',
  'Ferreira',
] as const
const VEHICLE_MODELS: Record<string, readonly (readonly [make: string, model: string])[]> = {
  courier: [
    ['Yumbo', 'GS 125'],
    ['Honda', 'CB 125F'],
    ['Baccio', 'P110'],
  ],
  economy: [
    ['Chevrolet', 'Onix'],
    ['Hyundai', 'HB20'],
    ['Renault', 'Logan'],
  ],
  premium: [
    ['Toyota', 'Corolla'],
    ['BYD', 'Seal'],
  ],
  van: [
    ['Fiat', 'Fiorino'],
    ['Renault', 'Kangoo'],
    ['Peugeot', 'Partner'],
  ],
  xl: [
    ['Chevrolet', 'Spin'],
    ['Citroën', 'Berlingo'],
  ],
}

const TOKEN_SEED = 7
const toImageUrl = (name: string) => `/images/demo/${name}.svg`
/**
 * Returns the portrait of a driver; a third of the drivers have none. Names alternate like the
 * portraits.
 */
const getPortrait = (n: number): string | undefined =>
  n % 3 === 2
    ? undefined
    : toImageUrl(`driver-${n % 2 === 0 ? 3 + (n % 4) / 2 : n % 4 === 1 ? 2 : 5}`)

/** Returns letters and digits only, which the profile form accepts before the @. */
const toMailboxName = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()

interface SeededUsers {
  users: Record<string, User>
  /** Uids. */
  riders: string[]
  drivers: string[]
  /** The device of each person, by uid. */
  devices: Record<string, NamedDevice>
}

/** Returns the vehicle types of the demo's drivers, as often as they occur. */
const getDriverKinds = (category: DemoCategory) =>
  category === 'delivery'
    ? (['courier', 'economy', 'economy', 'premium', 'van', 'xl'] as const)
    : (['economy', 'economy', 'premium', 'xl'] as const)

/**
 * Creates all users of the demo: the fixed accounts, 30 more drivers, 40 riders and a second fleet
 * admin. Wallets are empty.
 */
export function createUsers(now: number, draw: Random, category: DemoCategory): SeededUsers {
  // A separate generator, so that another token does not change the rest of the city.
  const tokens = createSeededRandom(TOKEN_SEED)
  const kinds = getDriverKinds(category)
  const users: Record<string, User> = {}
  const riders: string[] = []
  const drivers: string[] = []

  const add = (
    user: Partial<User> & Pick<User, 'id' | 'usertype' | 'mobile' | 'firstName' | 'lastName'>,
  ) => {
    const age = draw.integer(370, 500) * DAY_MS
    users[user.id] = {
      email: `${toMailboxName(user.firstName)}${toMailboxName(user.lastName)}@kerbside.example`,
      createdAt: new Date(now - age).toISOString(),
      approved: true,
      walletBalance: 0,
      referralId: `${toMailboxName(user.firstName)}${draw.integer(1000, 9999)}`,
      lang: { langLocale: 'en', dateLocale: 'en-GB' },
      ...user,
    }
  }
  const near = (place: { lat: number; lng: number }) => ({
    lat: Number((place.lat + (draw.next() - 0.5) * 0.004).toFixed(5)),
    lng: Number((place.lng + (draw.next() - 0.5) * 0.004).toFixed(5)),
  })
  const plate = () => `S${draw.pick(['BA', 'CX', 'DT', 'FK', 'TP'])} ${draw.integer(1000, 9999)}`
  const vehicle = (carType: string) => {
    const [vehicleMake, vehicleModel] = draw.pick(VEHICLE_MODELS[carType] ?? [['', '']])
    return { carType, vehicleMake, vehicleModel, vehicleNumber: plate() }
  }

  const devices: Record<string, NamedDevice> = {}
  const nameDevice = (uid: string, platform: NonNullable<NamedDevice['platform']>) => {
    devices[uid] = { token: createPushToken(tokens), platform, revision: 1 }
  }

  const findMobile = (uid: string) =>
    DEMO_ACCOUNTS.find((account) => account.uid === uid)?.mobile ?? ''
  const named = (id: string, usertype: User['usertype'], firstName: string, lastName: string) => ({
    id,
    usertype,
    firstName,
    lastName,
    mobile: findMobile(id),
  })
  add({ ...named('seed-admin', 'admin', 'Alma', 'Admin'), email: 'admin@kerbside.example' })
  add({
    ...named('seed-fleetadmin', 'fleetadmin', 'Flor', 'Flota'),
    email: 'fleet@kerbside.example',
    createdByAdmin: true,
  })
  add({
    id: 'demo-fleetadmin-2',
    usertype: 'fleetadmin',
    firstName: 'Rafael',
    lastName: 'Rambla',
    mobile: '+15555550105',
    email: 'rambla@kerbside.example',
    createdByAdmin: true,
  })
  const center = places[8] ?? { lat: -34.90542, lng: -56.19108 }
  add({
    ...named('seed-driver', 'driver', 'Darío', 'Conductor'),
    email: 'driver@kerbside.example',
    ...vehicle(kinds[0]),
    driverActiveStatus: true,
    queue: false,
    location: { lat: center.lat, lng: center.lng },
    fleetadmin: 'seed-fleetadmin',
    bankName: 'Banco República',
    bankCode: 'BROUUYMM',
    bankAccount: '001-1234567-00001',
    profile_image: toImageUrl('driver-1'),
    licenseImage: toImageUrl('license'),
  })
  nameDevice('seed-driver', 'ANDROID')
  drivers.push('seed-driver')
  add({
    ...named('seed-rider', 'rider', 'Rita', 'Ramírez'),
    email: 'rider@kerbside.example',
  })
  nameDevice('seed-rider', 'WEB')
  riders.push('seed-rider')
  add({
    ...named('seed-driver-pending', 'driver', 'Pía', 'Espera'),
    email: 'pending@kerbside.example',
    approved: false,
    ...vehicle('economy'),
    driverActiveStatus: false,
    queue: false,
    profile_image: toImageUrl('driver-4'),
    licenseImage: toImageUrl('license'),
  })

  for (let n = 1; n <= 30; n += 1) {
    const id = `demo-driver-${String(n).padStart(2, '0')}`
    const portrait = getPortrait(n)
    const fleet = n % 3 === 0 ? 'seed-fleetadmin' : n % 5 === 0 ? 'demo-fleetadmin-2' : undefined
    add({
      id,
      usertype: 'driver',
      firstName: FIRST_NAMES[(n * 7) % FIRST_NAMES.length] ?? '',
      lastName: draw.pick(LAST_NAMES),
      mobile: `+1555555${String(1000 + n)}`,
      email: `driver${n}@kerbside.example`,
      ...vehicle(kinds[n % kinds.length] ?? 'economy'),
      driverActiveStatus: n % 10 !== 9,
      queue: false,
      location: near(places[(n * 3) % places.length] ?? center),
      ...(fleet !== undefined && { fleetadmin: fleet }),
      bankName: draw.pick(['Banco República', 'Itaú', 'Santander']),
      bankCode: draw.pick(['BROUUYMM', 'ITAUUYMM', 'BSCHUYMM']),
      bankAccount: `00${draw.integer(1, 9)}-${draw.integer(1_000_000, 9_999_999)}`,
      ...(portrait !== undefined && { profile_image: portrait }),
    })
    nameDevice(id, 'ANDROID')
    drivers.push(id)
  }
  for (let n = 1; n <= 40; n += 1) {
    const id = `demo-rider-${String(n).padStart(2, '0')}`
    const home = draw.pick(places)
    const person = {
      id,
      usertype: 'rider',
      firstName: FIRST_NAMES[n % FIRST_NAMES.length] ?? '',
      lastName: draw.pick(LAST_NAMES),
      mobile: `+1555555${String(2000 + n)}`,
      email: `rider${n}@kerbside.example`,
    } as const
    nameDevice(id, draw.pick(['ANDROID', 'IOS', 'WEB']))
    add({
      ...person,
      savedAddresses: {
        home: { description: home.add, lat: home.lat, lng: home.lng, count: draw.integer(1, 9) },
      },
    })
    riders.push(id)
  }
  return { users, riders, drivers, devices }
}
