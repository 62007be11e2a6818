/** The stage by itself, so that its code is a part of its own. */
export { Canvas } from '@markwright/editor';
