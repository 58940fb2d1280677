import { ar } from './ar'
import { de } from './de'
import { en } from './en'
import { es } from './es'
import { fr } from './fr'
import { he } from './he'
import { hi } from './hi'
import { pt } from './pt'

export const TEXTS_BY_LOCALE = { en, es, pt, fr, de, hi, ar, he }

export type PageLocale = keyof typeof TEXTS_BY_LOCALE
