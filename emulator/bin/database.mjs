#!/usr/bin/env node
// Starts the database by itself: realtime-database-stand-in --port 9000 --data-dir ./data
import { createRequire } from 'node:module'

process.argv.splice(2, 0, 'database')
createRequire(import.meta.url)('../dist/emulator.cjs')
