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
