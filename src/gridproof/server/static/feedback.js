// Feedback that is felt and heard: short vibrations and quiet tones, both off until they are wanted.

import { settings } from "./user_data.js";

const VOLUME = 0.05;
const LENGTH = 0.07; // seconds of a tone
const TONES = { step: [330], blocked: [147], won: [523, 659, 784], lost: [294, 220] }; // hertz, one after the other
const VIBRATIONS = { step: [12], blocked: [25, 40, 25], won: [40, 60, 40, 60, 120], lost: [160] }; // milliseconds on, off, on …

let audio = null;

/** Let the player feel and hear that something has happened: "step", "blocked", "won" or "lost". */
export function giveFeedback(name) {
  if (settings.vibration === "on") navigator.vibrate?.(VIBRATIONS[name]);
  if (settings.sound === "on") TONES[name].forEach((frequency, place) => playTone(frequency, 1.4 * place * LENGTH));
}

function playTone(frequency, delay) {
  audio ??= new AudioContext();
  audio.resume?.();
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  const start = audio.currentTime + delay;
  tone.type = "sine";
  tone.frequency.value = frequency;
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(VOLUME, start + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + LENGTH);
  tone.connect(volume).connect(audio.destination);
  tone.start(start);
  tone.stop(start + LENGTH);
}
