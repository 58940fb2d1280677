import { deleteApp, getApps } from 'firebase/app'

/** The config.json of a deployed site, for tests of the Firebase services. */
export const DEPLOYED_CONFIG = {
  firebase: {
    apiKey: 'key',
    projectId: 'city-cabs',
    databaseURL: 'https://city-cabs-default-rtdb.firebaseio.com',
    storageBucket: 'city-cabs.firebasestorage.app',
    authDomain: 'city-cabs.firebaseapp.com',
    appId: '1:2:web:3',
  },
  emulators: null,
  local: false,
  functionsUrl: 'https://us-central1-city-cabs.cloudfunctions.net',
}

/** Ends the Firebase app of a test, which the SDK keeps when our modules are loaded again. */
export const endFirebaseApps = () => Promise.all(getApps().map((app) => deleteApp(app)))
