// The entry point of the bundle. In the emulator each endpoint is its own function; a deployed
// project groups them (domain/api/functionGroups.ts).
import { functions as all } from './index'
import { groupFunctions } from './http/groupedFunctions'

export const functions = process.env.FUNCTIONS_EMULATOR === 'true' ? all : groupFunctions(all)
