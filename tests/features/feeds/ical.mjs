// stdin   [path of a feed, ...]
// stdout  [[[UID, start in UTC or as a day, name, seconds of each alarm, ...], ...], ...]: the events of each feed, as ical.js reads them
import { readFileSync } from 'node:fs'
import ICAL from '../../hosts/node_modules/ical.js/dist/ical.js'

const day = (time) => (time.isDate ? time.toString() : time.toJSDate().toISOString().replace('.000', ''))
const events = (path) => {
  const calendar = new ICAL.Component(ICAL.parse(readFileSync(path, 'utf8')))
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component)
    const alarms = component.getAllSubcomponents('valarm').map((alarm) => alarm.getFirstPropertyValue('trigger').toSeconds())
    return [event.uid, day(event.startDate), event.summary, ...alarms]
  })
}
console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(events)))
