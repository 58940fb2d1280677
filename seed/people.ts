import type { AvailableDriver, User } from '~/domain/entities'
import { listing } from '~/domain/dispatch'
import type { Random } from '~/domain/testing/random'
import { ACCOUNTS } from './accounts'
import { places } from './places'

const DAY = 86_400_000

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
const VEHICLES: Record<string, readonly (readonly [make: string, model: string])[]> = {
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

/** Letters and digits only: what the profile form accepts before the @. */
const mailbox = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()

interface Made {
  users: Record<string, User>
  /** Uids. */
  riders: string[]
  drivers: string[]
}

/** Everybody of the demo: the fixed accounts, 30 more drivers, 40 riders, a second fleet admin. Wallets are empty. */
export function people(now: number, draw: Random): Made {
  const users: Record<string, User> = {}
  const riders: string[] = []
  const drivers: string[] = []

  const add = (
    user: Partial<User> & Pick<User, 'id' | 'usertype' | 'mobile' | 'firstName' | 'lastName'>,
  ) => {
    const age = draw.whole(370, 500) * DAY
    users[user.id] = {
      email: `${mailbox(user.firstName)}${mailbox(user.lastName)}@kerbside.example`,
      createdAt: new Date(now - age).toISOString(),
      approved: true,
      walletBalance: 0,
      referralId: `${mailbox(user.firstName)}${draw.whole(1000, 9999)}`,
      lang: { langLocale: 'en', dateLocale: 'en-GB' },
      ...user,
    }
  }
  const near = (place: { lat: number; lng: number }) => ({
    lat: Number((place.lat + (draw.next() - 0.5) * 0.004).toFixed(5)),
    lng: Number((place.lng + (draw.next() - 0.5) * 0.004).toFixed(5)),
  })
  const plate = () => `S${draw.pick(['BA', 'CX', 'DT', 'FK', 'TP'])} ${draw.whole(1000, 9999)}`
  const vehicle = (carType: string) => {
    const [vehicleMake, vehicleModel] = draw.pick(VEHICLES[carType] ?? [['', '']])
    return { carType, vehicleMake, vehicleModel, vehicleNumber: plate() }
  }

  const mobileOf = (uid: string) => ACCOUNTS.find((account) => account.uid === uid)?.mobile ?? ''
  const named = (id: string, usertype: User['usertype'], firstName: string, lastName: string) => ({
    id,
    usertype,
    firstName,
    lastName,
    mobile: mobileOf(id),
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
  const centre = places[8] ?? { lat: -34.90542, lng: -56.19108 }
  add({
    ...named('seed-driver', 'driver', 'Darío', 'Conductor'),
    email: 'driver@kerbside.example',
    ...vehicle('courier'),
    driverActiveStatus: true,
    queue: false,
    location: { lat: centre.lat, lng: centre.lng },
    fleetadmin: 'seed-fleetadmin',
    bankName: 'Banco República',
    bankCode: 'BROUUYMM',
    bankAccount: '001-1234567-00001',
  })
  drivers.push('seed-driver')
  add({
    ...named('seed-rider', 'rider', 'Rita', 'Ramírez'),
    email: 'rider@kerbside.example',
  })
  riders.push('seed-rider')
  add({
    ...named('seed-driver-pending', 'driver', 'Pía', 'Espera'),
    email: 'pending@kerbside.example',
    approved: false,
    ...vehicle('economy'),
    driverActiveStatus: false,
    queue: false,
  })

  const kinds = ['courier', 'economy', 'economy', 'premium', 'van', 'xl'] as const
  for (let n = 1; n <= 30; n += 1) {
    const id = `demo-driver-${String(n).padStart(2, '0')}`
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
      location: near(places[(n * 3) % places.length] ?? centre),
      ...(fleet !== undefined && { fleetadmin: fleet }),
      bankName: draw.pick(['Banco República', 'Itaú', 'Santander']),
      bankCode: draw.pick(['BROUUYMM', 'ITAUUYMM', 'BSCHUYMM']),
      bankAccount: `00${draw.whole(1, 9)}-${draw.whole(1_000_000, 9_999_999)}`,
    })
    drivers.push(id)
  }
  for (let n = 1; n <= 40; n += 1) {
    const id = `demo-rider-${String(n).padStart(2, '0')}`
    const home = draw.pick(places)
    add({
      id,
      usertype: 'rider',
      firstName: FIRST_NAMES[n % FIRST_NAMES.length] ?? '',
      lastName: draw.pick(LAST_NAMES),
      mobile: `+1555555${String(2000 + n)}`,
      email: `rider${n}@kerbside.example`,
      userPlatform: draw.pick(['ANDROID', 'IOS', 'WEB']),
      savedAddresses: {
        home: { description: home.add, lat: home.lat, lng: home.lng, count: draw.whole(1, 9) },
      },
    })
    riders.push(id)
  }
  return { users, riders, drivers }
}

/** Where each driver who could take a booking now is. */
export function available(
  users: Record<string, User>,
  now: number,
): Record<string, AvailableDriver> {
  return Object.fromEntries(
    Object.values(users).flatMap((user) => {
      const { id, usertype, approved, driverActiveStatus, queue, location, carType } = user
      const { fleetadmin } = user
      if (usertype !== 'driver' || !approved || !driverActiveStatus || queue) return []
      if (!location || !carType) return []
      return [[id, listing({ carType, fleetadmin, location }, now)]]
    }),
  )
}
