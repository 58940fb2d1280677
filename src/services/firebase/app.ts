import { initializeApp } from 'firebase/app'
import { config } from '../config'
import { onceMade } from '../onceMade'

/** The one Firebase app of this page. */
export const firebaseApp = onceMade(async () => initializeApp((await config()).firebase))
