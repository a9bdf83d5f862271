# SPDX-License-Identifier: GPL-3.0-or-later
"""A Slurm of its own on this machine, on loopback only: a controller and some nodes, each with a host name of its own.
What is started is ended by close(), whatever happens in between."""

import os
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ("slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "sinfo", "srun", "unshare")

CONF = """\
ClusterName=tribotest
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
AuthInfo=cred_expire=5
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmctldPort={port}
StateSaveLocation={work}/state
SlurmdSpoolDir={work}/spool.%n
SlurmctldPidFile={work}/ctld.pid
SlurmdPidFile={work}/slurmd.%n.pid
SlurmctldLogFile={work}/ctld.log
SlurmdLogFile={work}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=2,batch_sched_delay=0
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
MpiDefault=none
SwitchType=switch/none
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=5
MinJobAge=600
JobRequeue=1
{nodes}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP PriorityTier=1 PreemptMode=REQUEUE GraceTime=0
PartitionName=urgent Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=10 PreemptMode=OFF
"""


def missing():
    """Why there can be no Slurm here; empty where there can."""
    for program in PROGRAMS:
        if not shutil.which(program):
            return f"there is no {program}: scripts/setup --with-farm installs it"
    return "" if os.geteuid() == 0 else "a Slurm of its own takes root"


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Slurm:
    def __init__(self, work, nodes):
        self.work, self.nodes, self.processes = work, nodes, []
        os.makedirs(os.path.join(work, "state"))
        ports = free_ports(1 + len(nodes))
        rows = []
        for name, port in zip(nodes, ports[1:]):
            os.makedirs(os.path.join(work, f"spool.{name}"))
            rows.append(f"NodeName={name} NodeAddr=127.0.0.1 NodeHostname={name} Port={port} CPUs=1 "
                        "RealMemory=1000 State=UNKNOWN")
        conf = os.path.join(work, "slurm.conf")
        with open(conf, "w", encoding="utf-8") as file:
            file.write(CONF.format(host=socket.gethostname().split(".")[0], port=ports[0], work=work,
                                   nodes="\n".join(rows)))
        self.environment = {**os.environ, "SLURM_CONF": conf}
        try:
            self.begin()
        except BaseException:
            self.close()
            raise

    def begin(self):
        self.start("slurmctld", "-c", "-D")
        hosts = os.path.join(self.work, "hosts")
        with open(hosts, "w", encoding="utf-8") as file:
            file.write(f"127.0.0.1 localhost {socket.gethostname()} {' '.join(self.nodes)}\n")
        for name in self.nodes:
            # A host name of its own, as another machine would have; it is this machine's loopback.
            self.start("unshare", "--uts", "--mount", "sh", "-c",
                       f"mount --bind '{hosts}' /etc/hosts && hostname {name} && exec slurmd -D -N {name}")
        self.wait(lambda: self.run("sinfo", "-h", "-N", "-o", "%T").split().count("idle") >= len(self.nodes), 30)

    def start(self, *words):
        log = open(os.path.join(self.work, "out.log"), "ab")
        self.processes.append(subprocess.Popen(words, env=self.environment, stdout=log, stderr=log,
                                               start_new_session=True))
        log.close()

    def run(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=60).stdout

    def wait(self, until, seconds):
        end = time.monotonic() + seconds
        while not until():
            if time.monotonic() > end:
                raise AssertionError(self.run("squeue", "-t", "all", "-o", "%i %T %r %N") + self.log())
            time.sleep(0.1)

    def log(self):
        text = ""
        for name in sorted(os.listdir(self.work)):
            if name.endswith(".log"):
                with open(os.path.join(self.work, name), encoding="utf-8", errors="replace") as file:
                    text += f"--- {name}\n" + file.read()[-1500:]
        return text

    def running(self):
        """(array task, node) of what runs."""
        rows = self.run("squeue", "-h", "-r", "-t", "R", "-o", "%K %N").splitlines()
        return [(int(task), node) for task, node in (row.split() for row in rows) if task != "N/A"]

    def left(self):
        return [row for row in self.run("squeue", "-h", "-r", "-o", "%i").split()]

    def close(self):
        if self.processes:
            self.run("scancel", "--user=root")
            time.sleep(0.5)
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self.processes = []
