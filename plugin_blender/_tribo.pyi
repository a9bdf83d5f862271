"""The native module: Tribo's core as Python sees it.

Written in C on CPython's limited API (plugin_blender/native). Arrays go in through the buffer protocol:
anything C-contiguous with the stated item, say array.array('f'). `Floats` takes 'f' and 'd', `Ints` takes
'i' and 'I'. Every failure is an `Error` with the message of the core. Nothing here touches Blender.
"""

from typing import Any, Iterable, Mapping, Optional, Sequence

Floats = Any
Ints = Any


class Error(Exception):
    """status is the core's: bad_input, unavailable, no_memory, io, not_converged, cancelled."""

    status: str


def version() -> str: ...
def parameters() -> list[dict]:
    """The core's table: group, place, name, kind ("real", "int", "vec3", "choice"), value (number, text
    of a choice, or tuple of 3), low, high, unit, choices (tuple of names), help."""


def kinds() -> list[dict]:
    """The core's kinds of objects: name, article ("a cloth"), about, group (of parameters of its own, or
    None), key, and whether: tets, simulated, deforms, turns, sheet, pinnable, feels_air."""


def available() -> dict[str, bool]:
    """Optional parts that can be used: ipopt, openexr, hdf5, tetgen, pardiso."""


def wedge_write(folder: str, scenes: list[tuple[str, list[tuple[str, str]]]]) -> None:
    """A wedge (docs/wedge.md) of scene files, each with the keys and values, as JSON, that it is known by."""


def wedge_report(folder: str) -> str:
    """How its scenes stand: what `tribo wedge status --json` prints."""


def wedge_sheet(folder: str) -> None: ...
def wedge_begin(folder: str, number: int) -> Any:
    """Notes that a scene of a wedge is being baked; what comes back is for wedge_end."""


def wedge_end(attempt: Any, code: int, message: str) -> None:
    """Notes how that ended: code is the exit code of `tribo bake`."""


def read_scene(path: str) -> "Scene":
    """The scene of a scene file."""


def farm_engines() -> list[dict]:
    """Every engine that farm_write knows: name, title, file, how (to submit)."""


def farm_write(folder: str, engine: str, tribo: Optional[str] = None, blender: Optional[str] = None,
               threads: int = 1, pictures: bool = False) -> None:
    """An engine's files, in the folder farm of a wedge."""


class Samples:
    """The motion of one object: all its vertices, or a transform, at equal steps of time."""

    def __init__(self, start: float, interval: float, vertices: int = 0):
        """vertices 0: transforms. start and interval in frames."""

    def append(self, values: Floats, transform: Optional[Floats] = None) -> None:
        """3 numbers a vertex, or 16 of a transform (row-major); transform takes the vertices to the world."""

    def __len__(self) -> int: ...


class Scene:
    def __init__(self) -> None: ...
    def set(self, key: str, value: Any) -> None:
        """A setting by its key in the scene file: "time.substeps", "gravity", "friction.default.mu"."""

    def add(
        self,
        name: str,
        kind: str,  # "cloth", "solid", "rigid", "collider"
        positions: Floats,
        triangles: Ints,
        *,
        transform: Optional[Floats] = None,  # 16, row-major; applied in double precision
        uvs: Optional[Floats] = None,  # 2 a triangle corner
        parameters: Mapping[str, Mapping[str, Any]] = {},  # {"cloth": {"stretch": 1e3}, "surface": {...}}
        material: Optional[str] = None,
        pins: Iterable[Mapping[str, Any]] = (),  # {"vertices": Ints, "stiffness": 0.0, "targets": Samples}
        motion: Optional[Samples] = None,  # of a collider
        structure_map: Optional[tuple[Floats, int, int, int]] = None,  # pixels, width, height, channels;
        friction_map: Optional[tuple[Floats, int, int, int]] = None,  # the bottom row first, as Blender's
        vertex_structure: Optional[Floats] = None,
        vertex_friction: Optional[Floats] = None,
        vertex_stiffness: Optional[Floats] = None,  # multiplier of the elastic stiffness, 1 a vertex
        present: Optional[Floats] = None,  # of a collider: 2 frames a range, from and to (inf: for good)
    ) -> int:
        """The number of the object. A solid's tets are made from the surface as parameters["fill"] says."""

    def pair(self, a: str, b: str, friction: Mapping[str, float]) -> None: ...
    def choice(self) -> Dict[str, Any]: ...
    def note(self, index: int) -> Optional[str]: ...
    def outline(self, index: int) -> dict: ...
    def doubts(self) -> list:
        """What can be simulated, but is hardly meant, a dict each: kind ("pieces", "winding", "inside_out",
        "large", "small", "unseen", "holes", "soft"), object, other, count, of, metres, message. A bake tells the messages as
        warnings."""

    def paint(self, index: int) -> dict: ...
    def hash(self) -> str:
        """Hexadecimal; equal for scenes that bake to the same bits."""

    def check(self) -> None:
        """Everything that a bake would check before its first step."""

    def write(self, folder: str) -> None:
        """The bundle for `tribo bake`, with the same results to the bit."""

    def bake(
        self,
        folder: str,
        *,
        threads: int = 0,
        resume: bool = False,
        overwrite: bool = False,
        contacts: bool = False,
        keep_states: bool = False,  # a state a frame, so that a later bake can start from any of them
        from_frame: Optional[int] = None,  # keep the frames up to it, go on from its state
        playback: Mapping[str, Floats] = {},  # object: 16 numbers a frame, world to object space; writes
    ) -> "Bake":  # OBJECT.local.pc2 for a Mesh Cache modifier, frame by frame with the cache
        """Starts a thread of the library's own and returns at once."""


class Bake:
    """A bake under way. Deleting it cancels and waits."""

    def poll(self) -> dict:
        """status ("running", "done", "cancelled", "failed"), message, error (the status of an Error, ""
        while there is none), frame (the last on disk, None before the first), start, end, seconds (it
        took), seconds_left, contacts, max_penetration, converged, steps, cuts, crossings (None: not
        counted at this frame), new_crossings, rough (why the frame is: list of "energy", "crossings",
        "deep", "tangled", "steps"), log (new messages since the last poll: list of ("info" or
        "warning", text))."""

    def cancel(self) -> None:
        """Asks it to stop soon (within a step), and returns at once. What is on disk stays, to resume."""

    def join(self, timeout: Optional[float] = None) -> bool:
        """Waits without the GIL; whether it ended. Does not raise: poll says what happened."""


class Sim:
    """A scene in motion, for the live mode. Runs a frame at a time on the library's own thread."""

    def __init__(self, scene: Scene, threads: int = 0): ...
    def start_frame(self) -> None:
        """Begins to advance to the next frame and returns at once."""

    def wait(self, timeout: Optional[float] = None) -> bool:
        """Whether the frame is there; raises Error if it failed."""

    def cancel(self) -> None:
        """Gives up the frame under way, if any, and waits; the state stays at the frame before, and the
        next wait raises Error with status "cancelled"."""

    def objects(self) -> list[str]:
        """Names of the simulated objects, in the order that `positions` counts them."""

    def extend(self, index: int, values: Floats, transform: Optional[Floats] = None) -> None:
        """One more sample of the motion of scene object `index`, which was added with at least one.
        start_frame may follow once the samples of its frame are there."""

    def extend_presence(self, index: int, frame: float, present: bool) -> None:
        """From a frame on, the collider that is scene object `index` is there, or is not."""

    def extend_pin(self, index: int, pin: int, values: Floats, transform: Optional[Floats] = None) -> None: ...
    def frame_number(self) -> float: ...
    def positions(self, index: int, out: Any, transform: Optional[Floats] = None) -> None:
        """Of simulated object `index` into a writable buffer of 'f', through the transform if there is one."""

    def contacts(self) -> "Contacts": ...
    def report(self) -> dict:
        """Of the last frame: steps, cuts, contacts, newton_iterations, residual, max_penetration,
        kinetic_energy, elastic_energy, crossings, new_crossings, rough, converged, seconds, log (as in
        Bake.poll)."""

    def crossings(self) -> list[dict]:
        """As Cache.crossings, as they were counted last."""

    def pierced(self, index: int) -> bytes:
        """Of scene object `index`, colliders counted: as Cache.pierced, as they were counted last."""


class Contacts:
    """Contacts of a frame as flat arrays of bytes ('f' items): position, normal, force, slip (3 each), mu,
    gap (1 each); state ('B': 0 sticks, 1 slips); vertex ('i'); object names by contact."""

    count: int
    position: bytes
    normal: bytes
    force: bytes
    slip: bytes
    mu: bytes
    gap: bytes
    state: bytes
    vertex: bytes
    object: list[str]
    surface: list[str]


class Cache:
    def __init__(self, folder: str): ...
    def about(self) -> dict:
        """status ("running", "done", "cancelled", "failed", "interrupted": killed), message, version,
        linear_solver, scene_hash, start, end, frames (complete on disk), fps, substeps, threads,
        deterministic, contacts, states, verdict (bool: there is one). As it was when the Cache was made."""

    def objects(self) -> list[dict]:
        """name, kind, vertex_count, frames."""

    def positions(self, index: int, frame: int, out: Any, transform: Optional[Floats] = None) -> None: ...
    def contacts(self, frame: int) -> Contacts:
        """Needs a bake with contacts."""

    def verdict(self) -> Optional[dict]:
        """Of the frames that were complete when the Cache was made; None for bakes of before there were
        verdicts. text ("44 frames rough: 17 to 60; worst 24: Cloth 30 mm in Ball"), frames, rough (how
        many), ranges (list of (first, last)), reasons (as rough in Bake.poll, of all frames), worst (the
        frame, or None), worst_reason, object, other (names, or ""), figure (of the worst: J, crossings, m
        or residual, by its reason), depth (m), counted (frames whose crossings were counted),
        last_crossings (of the last of them, or None), last_new_crossings."""

    def crossings(self, frame: int) -> list[dict]:
        """object, other (names; twice the same for what crosses itself), count, new, at_start, depth (m),
        place (of the deepest), edge_of (whose edge), edge (2 vertices), triangle (3, of the other).
        Empty also where they were not counted."""

    def pierced(self, frame: int, object: str) -> bytes:
        """3 vertices a triangle of an object, a collider too, through which an edge passes; 'i'."""

    def states(self) -> list[int]:
        """Frames from which a bake can start (keep_states)."""


def skin(scene: Scene, index: int, spacing: float = 0.0) -> dict:
    """The surface of scene object `index` that others touch, as contact sees it at the first frame:
    positions ('f' bytes, in the world), triangles ('i' bytes), hole ('B' bytes, a vertex each: 0 fine,
    1 thin: facets of the mesh show through, 2 a hole: nothing to touch). spacing: sides of the
    triangles at most; 0: the mesh that the surface is made from. Error for an object that nobody
    touches."""


Rect = tuple[int, int, int, int]  # x, y, width, height of the texels that changed; width 0: none


class Comb:
    """A mesh and the texels of its structure map: strokes on the one write into the other. Pixels are the
    caller's, a writable buffer of 4 'f' a texel, the bottom row first; blue and alpha stay as they are.
    Points are in the space that the transform leads to: the world."""

    area: float  # of the surface that can be painted
    unmapped: int  # triangles without area in the UVs or in space, which cannot be painted

    def __init__(
        self,
        positions: Floats,
        triangles: Ints,
        uvs: Floats,  # 2 a triangle corner
        width: int,
        height: int,
        transform: Optional[Floats] = None,  # 16, row-major: object space to the world
        wrap: str = "auto",  # as maps.wrap
    ): ...
    def begin(self, mode: str, radius: float, strength: float = 1.0, mirror: str = "") -> None:
        """mode: "comb", "smooth" or "erase"; mirror: any of the letters X, Y, Z, the object's own axes."""

    def extend(self, points: Floats, pixels: Any) -> Rect:
        """Points are laid onto the surface; those farther off than the radius make a gap."""

    def end(self) -> bytearray:
        """The record of the stroke or fill, for swap."""

    def fill(
        self,
        pixels: Any,
        axis: tuple[float, float, float] = (0, 0, 0),  # along this axis of the world, if it is not 0;
        angle: Optional[float] = None,  # else at this angle to u; None: no structure
        strength: float = 1.0,
    ) -> Rect: ...
    @classmethod
    def swap(cls, record: bytearray, pixels: Any, width: int, height: int) -> Rect:
        """Undo; again with the same record, redo."""

    def pick(self, origin: tuple, direction: tuple) -> Optional[tuple[int, tuple[float, float, float]]]:
        """The triangle and the point that a ray first meets."""

    def look(self, pixels: Any, triangle: int, weights: tuple) -> tuple[tuple, tuple]:
        """A point by its barycentric coordinates and the structure there, as the core filters it; its length
        is that of the grain, 0 to 1."""

    def marks(self, pixels: Any, spacing: float, lift: float) -> tuple[int, bytearray, bytearray]:
        """Marks spread over the surface: how many, and for the 4 corners of each (a rhombus) 'f' positions
        and unit directions, zero where there is no structure."""
